/* A timer thread runs jobs when they are due; a job may be cancelled before. */
#include "truth.h"

static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static struct timespec due;
static int armed, fired, ending;

static void *timers(void *unused)
{
	pthread_mutex_lock(&truth_lock);
	while (!ending) {
		if (!armed) {
			pthread_cond_wait(&change, &truth_lock);
		} else if (pthread_cond_timedwait(&change, &truth_lock, &due) == ETIMEDOUT &&
			   armed) {
			armed = 0;
			fired++;
			pthread_cond_broadcast(&change);
		}
	}
	pthread_mutex_unlock(&truth_lock);
	return unused;
}

static void arm(long ms)
{
	clock_gettime(CLOCK_REALTIME, &due);
	due.tv_nsec += ms * 1000000;
	due.tv_sec += due.tv_nsec / 1000000000;
	due.tv_nsec %= 1000000000;
	armed = 1;
	pthread_cond_broadcast(&change);
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, timers, NULL);
	pthread_mutex_lock(&truth_lock);
	arm(4);
	while (!fired)
		pthread_cond_wait(&change, &truth_lock);
	arm(60000);
	armed = 0; /* cancelled */
	ending = 1;
	pthread_cond_broadcast(&change);
	pthread_mutex_unlock(&truth_lock);
	pthread_join(t, NULL);
	return fired != 1;
}
