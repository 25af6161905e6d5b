/*
 * The flag is set without the lock: between the look at it and the wait, the signal is lost. Who was last goes on first after both
 * orders, so the bell is rung before the other one waits for it.
 *
 * expect: data-race rung write@ring read@look
 * harm: hang thread 0.1 waits for a signal of `bell`
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t bell = PTHREAD_COND_INITIALIZER;
static int rung;

static void *host(void *arg)
{
	pthread_mutex_lock(&lock);
	while (!rung) /* @look */
		pthread_cond_wait(&bell, &lock);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *guest(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&lock);
#endif
	rung = 1; /* @ring */
	pthread_cond_signal(&bell);
#ifdef FIXED
	pthread_mutex_unlock(&lock);
#endif
	return arg;
}

int main(void)
{
	pthread_t h, g;

	pthread_create(&h, NULL, host, NULL);
	pthread_create(&g, NULL, guest, NULL);
	pthread_join(h, NULL);
	pthread_join(g, NULL);
	puts("open");
	return 0;
}
