#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long *table;
static long room, calls;

long looked(long i)
{
	calls++;
	return i + room;
}

static void *maker(void *arg)
{
	pthread_mutex_lock(&m);
	room = 7;
	pthread_mutex_unlock(&m);
	table = &room; /* made */
	return arg;
}

static void *user(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	assert(table != NULL); /* used */
	printf("%ld\n", *table);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, maker, NULL);
	pthread_create(&b, NULL, user, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return looked(0) != 7;
}
