/*
 * A match of 43 events, all of which change the state of the pattern. In the recorded run, stop comes first.
 *
 * order: 0+,0+,1,0
 * spec: long.spec
 */
#include <forerun.h>
#include <pthread.h>

static void *worker(void *arg)
{
	FORERUN_EVENT("begin", 7);
	for (int i = 0; i < 20; i++) {
		FORERUN_EVENT("send", 7);
		FORERUN_EVENT("receive", 7);
	}
	FORERUN_EVENT("end", 7);
	return arg;
}

static void *stopper(void *arg)
{
	FORERUN_EVENT("stop", 7);
	return arg;
}

int main(void)
{
	pthread_t a, b;

#ifdef FIXED
	pthread_create(&b, 0, stopper, 0);
	pthread_join(b, 0);
	pthread_create(&a, 0, worker, 0);
#else
	pthread_create(&a, 0, worker, 0);
	pthread_create(&b, 0, stopper, 0);
	pthread_join(b, 0);
#endif
	pthread_join(a, 0);
	return 0;
}
