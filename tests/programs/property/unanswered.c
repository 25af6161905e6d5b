/*
 * A request comes after the only answer, so nobody answers it; unless the thread that asks sees in time that the other
 * one is done, and answers itself. Whether the request stays open is only clear at the end of the run. The twin always
 * answers itself.
 * order: 0+,0+,1,0
 * spec: unanswered.spec
 */
#include <forerun.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;
static void *answer(void *a)
{
	FORERUN_EVENT("answer", 7);
	pthread_mutex_lock(&m);
	done = 1;
	pthread_mutex_unlock(&m);
	return a;
}
static void *nothing(void *a)
{
	return a;
}
int main(void)
{
	pthread_t a, b;
	int was;
	pthread_create(&a, 0, answer, 0);
	FORERUN_EVENT("request", 7);
	pthread_create(&b, 0, nothing, 0);
	pthread_mutex_lock(&m);
	was = done;
	pthread_mutex_unlock(&m);
#ifdef FIXED
	was = 0;
#endif
	if (!was)
		FORERUN_EVENT("answer", 7);
	pthread_join(a, 0);
	pthread_join(b, 0);
	puts("done");
	return 0;
}
