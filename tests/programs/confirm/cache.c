/*
 * A timer and a command each drop the entry of a cache. Both check that it exists, and free it.
 * Before that: two threads fill it by pthread_once.
 *
 * expect: data-race entry write@clear read@check
 * harm: crash cache.c:@again
 * order: 0,2,1
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *entry;
static int hits;

static void fill(void) { entry = strcpy(calloc(1, 4096), "a page that took long to make"); }

static void look(void)
{
	pthread_once(&once, fill);
	pthread_mutex_lock(&m);
	hits += entry[0] == 'a';
	pthread_mutex_unlock(&m);
}

static void *timer(void *arg)
{
	pthread_barrier_t *ready = arg;

	look();
	pthread_barrier_wait(ready);
#ifdef FIXED
	pthread_mutex_lock(&m);
#endif
	if (entry) {
		free(entry);
		entry = NULL; /* @clear */
	}
#ifdef FIXED
	pthread_mutex_unlock(&m);
#endif
	return NULL;
}

static void *command(void *arg)
{
	pthread_barrier_t *ready = arg;

	look();
	pthread_barrier_wait(ready);
#ifdef FIXED
	pthread_mutex_lock(&m);
#endif
	if (entry) { /* @check */
		free(entry); /* @again */
		entry = NULL;
	}
#ifdef FIXED
	pthread_mutex_unlock(&m);
#endif
	return NULL;
}

int main(void)
{
	pthread_barrier_t ready;
	pthread_t t1, t2;

	pthread_barrier_init(&ready, NULL, 2);
	pthread_create(&t1, NULL, timer, &ready);
	pthread_create(&t2, NULL, command, &ready);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	printf("%d\n", hits);
	return 0;
}
