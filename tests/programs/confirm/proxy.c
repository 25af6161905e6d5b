/*
 * A proxy: a thread that waits for a client which never comes is cancelled, a detached one fetches
 * the address of the server. The address is looked at before it is sure to be there.
 *
 * expect: data-race server write@resolve read@connect
 * harm: crash proxy.c:@connect
 * order: 0,1,0,1,0+,2,0
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t client = PTHREAD_COND_INITIALIZER;
static sem_t listening, resolved;
static char *server;
static int cleaned;

static void clean(void *arg)
{
	cleaned++;
	pthread_mutex_unlock(arg);
}

static void *listen_for(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_cleanup_push(clean, &m);
	sem_post(&listening);
	for (;;)
		pthread_cond_wait(&client, &m);
	pthread_cleanup_pop(1);
	return arg;
}

static void *resolve(void *arg)
{
	server = strdup("192.0.2.1"); /* @resolve */
	sem_post(&resolved);
	return arg;
}

int main(void)
{
	pthread_attr_t a;
	pthread_t t;
	void *end;

	sem_init(&listening, 0, 0);
	sem_init(&resolved, 0, 0);
	pthread_create(&t, NULL, listen_for, NULL);
	sem_wait(&listening);
	pthread_cancel(t);
	pthread_join(t, &end);
	pthread_attr_init(&a);
	pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
	pthread_create(&t, &a, resolve, NULL);
#ifdef FIXED
	sem_wait(&resolved);
#endif
	printf("%zu %d %d\n", strlen(server), cleaned, end == PTHREAD_CANCELED); /* @connect */
	free(server);
	return 0;
}
