/*
 * Twenty threads use one object, and main closes it. In the recorded run it closes it last, but it waits for nobody.
 *
 * order: 0+,0+,0+,0+,0+,0+,0+,0+,0+,0+,0+,0+,0+,0+,0+,0+,0+,0+,0+,0+,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,0
 * spec: crowd.spec
 */
#include <forerun.h>
#include <pthread.h>

#define N 20

static pthread_t thread[N];

static void *user(void *arg)
{
	FORERUN_EVENT("use", 7);
	return arg;
}

static void join_all(void)
{
	for (int i = 0; i < N; i++)
		pthread_join(thread[i], 0);
}

int main(void)
{
	for (int i = 0; i < N; i++)
		pthread_create(&thread[i], 0, user, 0);
#ifdef FIXED
	join_all();
#endif
	FORERUN_EVENT("close", 7);
#ifndef FIXED
	join_all();
#endif
	return 0;
}
