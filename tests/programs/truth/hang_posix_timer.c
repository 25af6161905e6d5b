/* A POSIX timer starts a thread that posts. */
/* link: -lrt */
#include "truth.h"
#include <semaphore.h>

static sem_t s;
static int fired;

static void on_time(union sigval v)
{
	pthread_mutex_lock(&truth_lock);
	fired += v.sival_int;
	pthread_mutex_unlock(&truth_lock);
	sem_post(&s);
}

static void *work(void *unused)
{
	tick();
	sem_wait(&s);
	tick();
	return unused;
}

int main(void)
{
	struct sigevent ev = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_time};
	struct itimerspec it = {{0, 0}, {0, 5000000}};
	timer_t t;

	ev.sigev_value.sival_int = 1;
	sem_init(&s, 0, 0);
	assert(timer_create(CLOCK_MONOTONIC, &ev, &t) == 0);
	assert(timer_settime(t, 0, &it, NULL) == 0);
	beside_look(work);
	timer_delete(t);
	return 0;
}
