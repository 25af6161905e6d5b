/* What is counted and named instead of modelled. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static ucontext_t here, there;
static char stack[65536];
static int ran;

static void context(void)
{
	ran++;
}

int main(void)
{
	pthread_mutexattr_t a;
	int word = 1;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
	syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
	flockfile(stdout);
	printf("futex\n");
	funlockfile(stdout);
	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof(stack);
	there.uc_link = &here;
	makecontext(&there, context, 0);
	swapcontext(&here, &there);
	printf("context %d pid %d\n", ran, syscall(SYS_getpid) == getpid());
	return 0;
}
