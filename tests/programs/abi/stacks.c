/*
 * Code on stacks that the program made: coroutines of swapcontext, a small stack for signals,
 * threads with the smallest stack. Instrumented code there computes the same.
 */
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define COROUTINES 5
#define NOINLINE __attribute__((noinline))

static ucontext_t caller, routine[COROUTINES];
static char stack[COROUTINES][32768];
static unsigned long total[COROUTINES], shared[32];
static volatile sig_atomic_t handled;

static NOINLINE unsigned long deep(int n, unsigned long x)
{
	unsigned long v[4] = {x, x * 3, x ^ 5, (unsigned long)n};

	shared[(x + (unsigned)n) % 32] += v[n & 3];
	return n ? deep(n - 1, v[x & 3] + 1) + shared[x % 32] : v[0];
}

static void generate(int i)
{
	for (int k = 0; k < 6; k++) {
		total[i] += deep(3 + i, (unsigned long)(k * 7 + i));
		swapcontext(&routine[i], &caller);
		shared[i] ^= total[i];
	}
}

static void coroutines(void)
{
	for (int i = 0; i < COROUTINES; i++) {
		getcontext(&routine[i]);
		routine[i].uc_stack.ss_sp = stack[i];
		routine[i].uc_stack.ss_size = sizeof(stack[i]);
		routine[i].uc_link = &caller;
		makecontext(&routine[i], (void (*)(void))generate, 1, i);
	}
	for (int k = 0; k < 7; k++)
		for (int i = 0; i < COROUTINES; i++)
			swapcontext(&caller, &routine[(i * 3 + k) % COROUTINES]);
}

static void handler(int sig)
{
	total[0] += deep(2, (unsigned long)sig);
	handled++;
}

static void on_small_stack(void)
{
	size_t size = (size_t)sysconf(_SC_MINSIGSTKSZ) + 4096;
	stack_t alt = {.ss_sp = malloc(size), .ss_size = size}, none = {.ss_flags = SS_DISABLE};
	struct sigaction act = {.sa_handler = handler, .sa_flags = SA_ONSTACK};

	memset(alt.ss_sp, 7, size);
	sigaltstack(&alt, NULL);
	sigaction(SIGUSR1, &act, NULL);
	for (int i = 0; i < 20; i++)
		raise(SIGUSR1);
	sigaltstack(&none, NULL);
	free(alt.ss_sp);
}

static void *thread(void *arg)
{
	unsigned long x = (unsigned long)arg;

	return (void *)deep(10, x);
}

static unsigned long small_threads(void)
{
	unsigned long sum = 0;
	pthread_attr_t a;

	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, (size_t)PTHREAD_STACK_MIN);
	for (unsigned long i = 0; i < 4; i++) {
		pthread_t t;
		void *r;

		if (pthread_create(&t, &a, thread, (void *)i))
			exit(9);
		pthread_join(t, &r);
		sum += (unsigned long)r;
	}
	pthread_attr_destroy(&a);
	return sum;
}

/* Leaves several frames at once, from a coroutine too. */
static unsigned long jumps(void)
{
	static jmp_buf back;
	volatile unsigned long n = 0;

	if (setjmp(back) < 5) {
		n += deep(4, n);
		longjmp(back, (int)(n % 3) + (handled > 0) + (n > 3000 ? 9 : 1));
	}
	return n;
}

int main(void)
{
	unsigned long h;

	coroutines();
	on_small_stack();
	h = small_threads() * 31 + jumps();
	for (int i = 0; i < 32; i++)
		h = h * 31 + shared[i];
	for (int i = 0; i < COROUTINES; i++)
		h = h * 31 + total[i];
	printf("%016lx %d\n", h, (int)handled);
	return (int)(h & 63);
}
