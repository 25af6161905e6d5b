/*
 * A timer that notifies in a new thread posts the semaphore that two threads wait for.
 * link: -lrt
 */
#include "truth.h"
#include <semaphore.h>
static sem_t s;
static int value;
static void fire(union sigval v)
{
	value = v.sival_int;
	sem_post(&s);
}
static void *waiter(void *unused)
{
	(void)unused;
	while (sem_wait(&s))
		;
	assert(value == 9);
	sem_post(&s);
	return NULL;
}
int main(void)
{
	struct sigevent e = {.sigev_notify = SIGEV_THREAD};
	struct itimerspec w = {{0, 0}, {0, 3000000}};
	timer_t t;

	e.sigev_notify_function = fire;
	e.sigev_value.sival_int = 9;
	sem_init(&s, 0, 0);
	assert(!timer_create(CLOCK_MONOTONIC, &e, &t));
	assert(!timer_settime(t, 0, &w, NULL));
	both(waiter, waiter, NULL);
	timer_delete(t);
	return 0;
}
