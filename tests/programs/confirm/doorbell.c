/*
 * A thread sets the flag without the lock. So the signal is lost if it comes between the other
 * thread's check of the flag and its wait. After either order, the thread of the last access
 * continues first; then the bell rings before the other thread waits for it.
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
