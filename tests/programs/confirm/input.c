/*
 * Reads its standard input: the sum of the numbers in it.
 *
 * stdin: 1\n2\n3\n4\n5\n
 * expect: data-race last write@write read@read
 * harm: output
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>

static long sum, last;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg)
{
	long v;

	while (scanf("%ld", &v) == 1) {
		pthread_mutex_lock(&m);
		sum += v;
#ifdef FIXED
		last = v;
#endif
		pthread_mutex_unlock(&m);
#ifndef FIXED
		last = v; /* @write */
#endif
	}
	return arg;
}

static void *watcher(void *arg)
{
	long l;

	pthread_mutex_lock(&m);
#ifdef FIXED
	l = last;
#endif
	pthread_mutex_unlock(&m);
#ifndef FIXED
	l = last; /* @read */
#endif
	printf("last %ld\n", l);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, reader, NULL);
	pthread_create(&t[1], NULL, watcher, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	printf("sum %ld\n", sum);
	return 0;
}
