/*
 * A visitor's record is freed when he leaves, and `left` is set only then. A thread that reads
 * `left` in between reads freed memory; only a sanitizer notices.
 *
 * build: -fsanitize=address
 * expect: data-race left write@leave read@look
 * harm: sanitizer heap-use-after-free
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct record {
	int number, pages;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct record *visitor;
static int left;

static void *leave(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&m);
#endif
	free(visitor);
	left = 1; /* @leave */
#ifdef FIXED
	pthread_mutex_unlock(&m);
#endif
	return arg;
}

static void *count(void *arg)
{
	int *pages = arg;

#ifdef FIXED
	pthread_mutex_lock(&m);
#endif
	if (!left) /* @look */
		*pages += visitor->pages;
#ifdef FIXED
	pthread_mutex_unlock(&m);
#endif
	return NULL;
}

int main(void)
{
	pthread_t t1, t2;
	int pages = 0;

	pthread_mutex_lock(&m);
	visitor = malloc(sizeof(*visitor));
	visitor->pages = 3;
	pthread_mutex_unlock(&m);
	pthread_create(&t1, NULL, leave, NULL);
	pthread_create(&t2, NULL, count, &pages);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	printf("%d\n", pages);
	return 0;
}
