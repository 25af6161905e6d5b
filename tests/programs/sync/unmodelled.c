/* Calls that forerun counts and names instead of modelling them. */
#define _GNU_SOURCE
#include <linux/membarrier.h>
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

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
	syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof(stack);
	there.uc_link = &here;
	makecontext(&there, context, 0);
	swapcontext(&here, &there);
	printf("context %d pid %d\n", ran, syscall(SYS_getpid) == getpid());
	return 0;
}
