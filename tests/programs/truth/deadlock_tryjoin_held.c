/* pthread_tryjoin_np() under a lock that the worker wants: it never blocks. */
#include "truth.h"

static int x;

static void *work(void *unused)
{
	tick();
	x = 1;
	tick();
	return unused;
}

int main(void)
{
	pthread_t t;
	int r;

	pthread_create(&t, NULL, work, NULL);
	do {
		pthread_mutex_lock(&truth_lock);
		r = pthread_tryjoin_np(t, NULL);
		pthread_mutex_unlock(&truth_lock);
		usleep(500);
	} while (r);
	return x != 1;
}
