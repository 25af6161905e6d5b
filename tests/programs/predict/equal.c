/*
 * Only two equal values make the race possible: the second thread goes on because it sees a 1, and
 * there are two threads that write one. In the right one they write different values.
 *
 * expect: data-race data write@write read@read
 * harm: output
 * order: creation
 *	forerun cc -g -O1 -pthread equal.c -o equal
 *	forerun record --order creation ./equal
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int state, data;

static void set(int v)
{
	pthread_mutex_lock(&m);
	state = v;
	pthread_mutex_unlock(&m);
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

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, other, NULL);
	pthread_create(&t[1], NULL, writer, NULL);
	pthread_create(&t[2], NULL, reader, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
