/*
 * Two threads count for a long time, then the same as in equal.c: only two equal values make the
 * race possible. The solver needs the last part of the run alone.
 *
 * expect: data-race data write@write read@read
 * harm: output
 * order: creation
 *	forerun cc -g -O1 -pthread long.c -o long
 *	forerun record --order creation ./long
 *	forerun predict --stats
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <pthread.h>
#include <stdio.h>

#define ROUNDS 400

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int state, data, count;

static void set(int v)
{
	pthread_mutex_lock(&m);
	state = v;
	pthread_mutex_unlock(&m);
}

static void *counter(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&m);
		count++;
		pthread_mutex_unlock(&m);
	}
	return arg;
}

static void *other(void *arg)
{
#ifdef FIXED
	set(2);
#else
	set(1);
#endif
	return arg;
}

static void *writer(void *arg)
{
	data = 5; /* @write */
	set(1);
	return arg;
}

static void *reader(void *arg)
{
	int seen;

	pthread_mutex_lock(&m);
	seen = state;
	pthread_mutex_unlock(&m);
	if (seen == 1)
		printf("%d\n", data); /* @read */
	return arg;
}

static void two(void *(*a)(void *), void *(*b)(void *))
{
	pthread_t t, u;

	pthread_create(&t, NULL, a, NULL);
	pthread_create(&u, NULL, b, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
}

int main(void)
{
	pthread_t t;

	two(counter, counter);
	pthread_create(&t, NULL, other, NULL);
	two(writer, reader);
	pthread_join(t, NULL);
	return 0;
}
