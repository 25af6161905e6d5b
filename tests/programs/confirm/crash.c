/*
 * A pointer is looked at twice: another thread takes it away in between.
 *
 * expect: data-race config read@look write@away
 * expect: data-race config read@use write@away
 * harm: crash crash.c:@use
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>

struct config {
	int level;
};
static struct config first = {3};
static struct config *volatile config = &first;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int level;

static void *reader(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&m);
#endif
	if (config) /* @look */
		level = config->level; /* @use */
#ifdef FIXED
	pthread_mutex_unlock(&m);
#endif
	return arg;
}

static void *closer(void *arg)
{
	pthread_mutex_lock(&m);
	config = NULL; /* @away */
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, reader, NULL);
	pthread_create(&t[1], NULL, closer, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	printf("level %d\n", level);
	return 0;
}
