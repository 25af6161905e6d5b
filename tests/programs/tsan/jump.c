/* Frames that end without a hook: longjmp, a signal handler left by siglongjmp, one on its own stack. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

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

int main(void)
{
	stack_t own = {.ss_sp = malloc(65536), .ss_size = 65536};
	struct sigaction s = {.sa_handler = fault}, u = {.sa_handler = tick, .sa_flags = SA_ONSTACK};

	sigaltstack(&own, NULL);
	sigaction(SIGSEGV, &s, NULL);
	sigaction(SIGUSR1, &u, NULL);
	jumps();
	faults();
	ticks();
	done = 1; /* DONE */
	printf("%d %d %d\n", depth, after, handled);
	return 0;
}
