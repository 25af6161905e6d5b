/*
 * Handlers with SA_SIGINFO on alternate stacks interrupt arithmetic, memcpy, malloc-free code and vector loops; results
 * with floating point, long double and vectors must not change. setitimer(ITIMER_PROF) and pthread_kill send them.
 * build: -mavx2
 */
#include "truth.h"
#include <stdatomic.h>
#include <sys/time.h>

static atomic_int ticks, pokes, stop;
static __thread volatile sig_atomic_t mine;

static void on_signal(int s, siginfo_t *i, void *u)
{
	int saved = errno;
	volatile double d = 1.5;
	char buf[32];

	(void)u;
	for (int k = 0; k < 4; k++)
		d = d * 2.25 + i->si_signo;
	snprintf(buf, sizeof(buf), "%d", s);
	mine++;
	if (s == SIGPROF)
		atomic_fetch_add(&ticks, 1);
	else
		atomic_fetch_add(&pokes, 1);
	errno = saved;
}

__attribute__((noinline)) static double dot(const float *a, const float *b, int n)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += (double)a[i] * b[i];
	return s;
}

static void *compute(void *unused)
{
	static __thread float a[64], b[64];
	static char stack[2][65536];
	static atomic_int next;
	stack_t ss = {.ss_sp = stack[atomic_fetch_add(&next, 1)], .ss_size = sizeof(stack[0])};
	long double l = 1.0L;

	sigaltstack(&ss, NULL);
	for (int i = 0; i < 64; i++) {
		a[i] = (float)i;
		b[i] = 2;
	}
	for (int r = 0; r < 30; r++) {
		float c[64];

		memcpy(c, a, sizeof(c));
		assert(dot(c, b, 64) == 4032);
		l = l * 1.5L;
		l = l / 1.5L;
		assert(l == 1.0L);
		errno = r;
		assert(errno == r);
	}
	return unused;
}

int main(void)
{
	struct itimerval t = {{0, 2000}, {0, 2000}};
	struct sigaction sa = {.sa_sigaction = on_signal,
			       .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
	pthread_t w[2];

	sigaction(SIGPROF, &sa, NULL);
	sigaction(SIGUSR1, &sa, NULL);
	setitimer(ITIMER_PROF, &t, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&w[i], NULL, compute, NULL);
	for (int i = 0; i < 6; i++)
		pthread_kill(w[i % 2], SIGUSR1);
	for (int i = 0; i < 2; i++)
		pthread_join(w[i], NULL);
	memset(&t, 0, sizeof(t));
	setitimer(ITIMER_PROF, &t, NULL);
	assert(atomic_load(&pokes) <= 6 && !stop);
	puts("exact");
	return 0;
}
