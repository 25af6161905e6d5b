/*
 * A second thread uses a device that is broken for a moment. It only comes there while the device is broken on a path
 * of its own, which the recorded run did not take. The twin repairs the device on that path.
 * order: creation
 * spec: detour.spec
 */
#include <forerun.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t device = PTHREAD_MUTEX_INITIALIZER;
static int busy = 1, detours;
static void *owner(void *a)
{
	pthread_mutex_lock(&device);
	FORERUN_EVENT("break");
	pthread_mutex_unlock(&device);
	pthread_mutex_lock(&device);
	FORERUN_EVENT("repair");
	busy = 0;
	pthread_mutex_unlock(&device);
	return a;
}
static void *user(void *a)
{
	pthread_mutex_lock(&device);
	if (busy) {
		detours++;
#ifdef FIXED
		FORERUN_EVENT("repair");
#endif
	}
	FORERUN_EVENT("use");
	pthread_mutex_unlock(&device);
	return a;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, owner, 0);
	pthread_create(&b, 0, user, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	puts("done");
	return 0;
}
