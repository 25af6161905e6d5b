/*
 * Frames that end without a hook: longjmp, a signal handler left by siglongjmp, one on its own
 * stack.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

int depth, after, handled, done;
static int *volatile nowhere;
static jmp_buf out;
static sigjmp_buf recover;

static __attribute__((noinline)) void down(int n)
{
	depth = n; /* DEPTH */
	if (!n)
		longjmp(out, 1);
	down(n - 1);
	depth = -1;
}

static __attribute__((noinline)) void jumps(void)
{
	if (!setjmp(out))
		down(3);
	after = 1; /* AFTER */
}

static void fault(int sig)
{
	handled = sig; /* HANDLED */
	siglongjmp(recover, 1);
}

static void tick(int sig)
{
	handled += sig; /* TICK */
}

static __attribute__((noinline)) void faults(void)
{
	if (!sigsetjmp(recover, 1))
		*nowhere = 1; /* FAULT */
	after = 2; /* RECOVERED */
}

static __attribute__((noinline)) void ticks(void)
{
	raise(SIGUSR1); /* RAISE */
	after = 3; /* TICKED */
}

#define HALF (256 << 10)
static char *stacks;

/* The handler's stack lies above the thread's, where only its callers could be. */
static void *ticker(void *arg)
{
	stack_t own = {.ss_sp = stacks + HALF, .ss_size = HALF};

	sigaltstack(&own, NULL);
	ticks();
	return arg;
}

int main(void)
{
	struct sigaction s = {.sa_handler = fault}, u = {.sa_handler = tick, .sa_flags = SA_ONSTACK};
	pthread_attr_t attr;
	pthread_t t;

	stacks = mmap(NULL, 2 * HALF, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaction(SIGSEGV, &s, NULL);
	sigaction(SIGUSR1, &u, NULL);
	jumps();
	faults();
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, stacks, HALF);
	pthread_create(&t, &attr, ticker, NULL);
	pthread_join(t, NULL);
	done = 1; /* DONE */
	printf("%d %d %d\n", depth, after, handled);
	return 0;
}
