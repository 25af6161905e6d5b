/* pthread_tryjoin_np() in a loop, with work in between. */
#include "truth.h"

static int x;

static void *work(void *unused)
{
	pthread_mutex_lock(&truth_lock);
	x = 1;
	pthread_mutex_unlock(&truth_lock);
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	while (pthread_tryjoin_np(t, NULL) == EBUSY) {
		tick();
		sched_yield();
	}
	return x != 1;
}
