/* A lock held over sem_timedwait() while the poster wants that lock. */
#include "truth.h"
#include <semaphore.h>

static sem_t s;
static int x;

static void *poster(void *unused)
{
	tick();
	sem_post(&s);
	return unused;
}

static void *waiter(void *unused)
{
	for (;;) {
		struct timespec ts;
		int r;

		clock_gettime(CLOCK_REALTIME, &ts);
		ts.tv_nsec += 2000000;
		ts.tv_sec += ts.tv_nsec / 1000000000;
		ts.tv_nsec %= 1000000000;
		pthread_mutex_lock(&truth_lock);
		r = sem_timedwait(&s, &ts);
		pthread_mutex_unlock(&truth_lock);
		if (r == 0)
			break;
		usleep(500);
	}
	x = 1;
	return unused;
}

int main(void)
{
	sem_init(&s, 0, 0);
	both(waiter, poster, NULL);
	return x != 1;
}
