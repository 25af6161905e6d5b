/*
 * Thread-specific destructors come before the end of the thread: after a return, pthread_exit, a
 * cancel.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key, again;
static int ran, reran;

static void destroy(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&m);
	ran++;
	pthread_mutex_unlock(&m);
}

static void destroy_again(void *arg)
{
	if ((long)arg < 3)
		pthread_setspecific(again, (void *)((long)arg + 1));
	pthread_mutex_lock(&m);
	reran++;
	pthread_mutex_unlock(&m);
}

static void *thread(void *arg)
{
	pthread_setspecific(key, &m);
	pthread_setspecific(again, (void *)1);
	if (arg == &m)
		pthread_exit(NULL);
	if (arg == &key) {
		pthread_cancel(pthread_self());
		pthread_testcancel();
	}
	return NULL;
}

int main(void)
{
	void *how[] = {NULL, &m, &key};
	pthread_t t;

	pthread_key_create(&key, destroy);
	pthread_key_create(&again, destroy_again);
	for (int i = 0; i < 3; i++) {
		pthread_create(&t, NULL, thread, how[i]);
		pthread_join(t, NULL);
	}
	printf("destructors %d, again %d\n", ran, reran);
	return 0;
}
