/*
 * A timer sends a signal for which a thread waits; at each it prints the progress of a worker. The
 * worker ends it.
 *
 * options: --order creation
 */
#include "truth.h"
#include <stdatomic.h>

static atomic_int steps, over;

static void *watch(void *arg)
{
	sigset_t *set = arg;
	int sig, looks = 0, last = 0;

	while (!atomic_load(&over)) {
		int now;

		assert(sigwait(set, &sig) == 0);
		now = atomic_load(&steps);
		assert(now >= last);
		if (now != last)
			printf("%d more steps\n", now - last);
		last = now;
		looks++;
	}
	printf("watched: %s\n", looks > 1 ? "often" : "once");
	return NULL;
}

int main(void)
{
	struct itimerspec every = {{0, 1000000}, {0, 1000000}};
	struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	pthread_t w;
	timer_t timer;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	assert(timer_create(CLOCK_MONOTONIC, &e, &timer) == 0);
	assert(timer_settime(timer, 0, &every, NULL) == 0);
	pthread_create(&w, NULL, watch, &set);
	for (int i = 0; i < 5; i++) {
		atomic_fetch_add(&steps, 1);
		usleep(500);
	}
	atomic_store(&over, 1);
	pthread_join(w, NULL);
	timer_delete(timer);
	return steps != 5;
}
