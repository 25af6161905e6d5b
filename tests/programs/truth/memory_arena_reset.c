/* An arena is filled in one phase and reset in the next; a barrier separates the phases. */
#include "truth.h"

static pthread_barrier_t bar;
static char arena[256];
static int at;

static char *take(int n)
{
	char *p;

	pthread_mutex_lock(&truth_lock);
	p = arena + at;
	at += n;
	pthread_mutex_unlock(&truth_lock);
	return p;
}

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		char *p = take(32);

		memset(p, i, 32);
		assert(p[31] == i);
		if (pthread_barrier_wait(&bar) == PTHREAD_BARRIER_SERIAL_THREAD)
			at = 0;
		pthread_barrier_wait(&bar);
	}
	return unused;
}

int main(void)
{
	pthread_barrier_init(&bar, NULL, 2);
	return both(work, work, NULL);
}
