/* A worker ends the process by exit(); main waits for nothing else. */
#include "truth.h"

static int x;

static void check(void)
{
	pthread_mutex_lock(&truth_lock);
	x++;
	pthread_mutex_unlock(&truth_lock);
}

static void *work(void *unused)
{
	tick();
	exit(0);
	return unused;
}

int main(void)
{
	pthread_t t;

	atexit(check);
	pthread_create(&t, NULL, work, NULL);
	tick();
	for (;;)
		pause();
}
