/* Opposite lock orders, but one side gives up after a while. */
#include "truth.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *patient(void *unused)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	x++;
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return unused;
}

static void *hasty(void *unused)
{
	for (;;) {
		struct timespec ts;

		pthread_mutex_lock(&b);
		clock_gettime(CLOCK_REALTIME, &ts);
		ts.tv_nsec += 3000000;
		if (ts.tv_nsec >= 1000000000) {
			ts.tv_sec++;
			ts.tv_nsec -= 1000000000;
		}
		if (pthread_mutex_timedlock(&a, &ts) == 0)
			break;
		pthread_mutex_unlock(&b);
		usleep(1000);
	}
	x++;
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return unused;
}

int main(void)
{
	both(patient, hasty, NULL);
	return x != 2;
}
