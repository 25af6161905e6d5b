/*
 * A list of jobs. A thread that empties the list joins the workers while it holds the list's lock,
 * and a worker takes that lock to remove itself. Before that: thread-specific data with a
 * destructor, which runs in a thread that is joined.
 *
 * expect: deadlock * acquire@strike join@join
 * harm: hang reaper.c:@strike in job(), which thread 0 holds
 * order: 0+,1,0+,2,0
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static int jobs, freed;

static void drop(void *p)
{
	pthread_mutex_lock(&list);
	freed += *(int *)p;
	pthread_mutex_unlock(&list);
	free(p);
}

static void *warm_up(void *arg)
{
	int *p = malloc(sizeof(*p));

	*p = 7;
	pthread_setspecific(key, p);
	return arg;
}

static void *job(void *arg)
{
	pthread_mutex_lock(&list); /* @strike */
	jobs--;
	pthread_mutex_unlock(&list);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_key_create(&key, drop);
	pthread_create(&t, NULL, warm_up, NULL);
	pthread_join(t, NULL);
	jobs = 1;
	pthread_create(&t, NULL, job, NULL);
	pthread_mutex_lock(&list);
#ifdef FIXED
	pthread_mutex_unlock(&list);
	pthread_join(t, NULL);
#else
	pthread_join(t, NULL); /* @join */
	pthread_mutex_unlock(&list);
#endif
	printf("%d left, %d\n", jobs >= 0, freed);
	return 0;
}
