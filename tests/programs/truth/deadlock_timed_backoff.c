/*
 * Two threads lock two mutexes in opposite orders; one of them uses a timed lock with back-off, and a POSIX timer with
 * SIGEV_THREAD posts a semaphore for which both wait at the end.
 */
#include "truth.h"
#include <semaphore.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static sem_t expired;
static int value, backoffs;

static void fire(union sigval v)
{
	(void)v;
	sem_post(&expired);
	sem_post(&expired);
}

static void *forward(void *unused)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&a);
		pthread_mutex_lock(&b);
		value++;
		pthread_mutex_unlock(&b);
		pthread_mutex_unlock(&a);
	}
	while (sem_wait(&expired) && errno == EINTR)
		;
	return unused;
}

static void *backward(void *unused)
{
	for (int i = 0; i < 2; i++) {
		for (;;) {
			struct timespec t;

			pthread_mutex_lock(&b);
			clock_gettime(CLOCK_REALTIME, &t);
			t.tv_nsec += 3000000;
			if (t.tv_nsec >= 1000000000) {
				t.tv_nsec -= 1000000000;
				t.tv_sec++;
			}
			if (pthread_mutex_timedlock(&a, &t) == 0)
				break;
			backoffs++;
			pthread_mutex_unlock(&b);
			sched_yield();
		}
		value++;
		pthread_mutex_unlock(&a);
		pthread_mutex_unlock(&b);
	}
	while (sem_wait(&expired) && errno == EINTR)
		;
	return unused;
}

int main(void)
{
	struct sigevent e = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = fire};
	struct itimerspec t = {{0, 0}, {0, 10000000}};
	timer_t id;

	sem_init(&expired, 0, 0);
	assert(timer_create(CLOCK_MONOTONIC, &e, &id) == 0);
	assert(timer_settime(id, 0, &t, NULL) == 0);
	both(forward, backward, NULL);
	timer_delete(id);
	printf("value %d\n", value);
	return value != 4;
}
