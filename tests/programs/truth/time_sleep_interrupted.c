/* A signal interrupts a sleep, which goes on for the rest. */
#include "truth.h"

static double now_of(clockid_t c)
{
	struct timespec t;

	clock_gettime(c, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static volatile sig_atomic_t n;

static void h(int s)
{
	n++;
}

static pthread_t wt;

static void *work(void *unused)
{
	tick();
	struct timespec z = {0, 8000000}, r;
	double a = now_of(CLOCK_MONOTONIC);
	while (nanosleep(&z, &r)) {
		assert(errno == EINTR);
		assert(r.tv_nsec <= z.tv_nsec);
		z = r;
	}
	assert(now_of(CLOCK_MONOTONIC) - a >= 0.0079);
	tick();
	return unused;
}

static void *k(void *unused)
{
	usleep(3000);
	pthread_kill(wt, SIGUSR1);
	assert(look());
	return unused;
}

int main(void)
{
	struct sigaction sa = {.sa_handler = h};

	sigaction(SIGUSR1, &sa, 0);
	pthread_t t;
	pthread_create(&wt, 0, work, 0);
	pthread_create(&t, 0, k, 0);
	pthread_join(t, 0);
	pthread_join(wt, 0);
	return 0;
}
