/* A thread detaches itself; main waits on a condition. */
#include "truth.h"

static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int running = 2;

static void *work(void *unused)
{
	pthread_detach(pthread_self());
	tick();
	pthread_mutex_lock(&truth_lock);
	if (--running == 0)
		pthread_cond_signal(&c);
	pthread_mutex_unlock(&truth_lock);
	return unused;
}

int main(void)
{
	pthread_t t;

	for (int i = 0; i < 2; i++)
		pthread_create(&t, NULL, work, NULL);
	pthread_mutex_lock(&truth_lock);
	while (running)
		pthread_cond_wait(&c, &truth_lock);
	pthread_mutex_unlock(&truth_lock);
	return 0;
}
