/*
 * A program of which only one copy runs at a time: it creates a lock file, and removes it at the
 * end. It has one bug: if two reads of a value differ, it aborts and leaves its lock file behind.
 * Its behaviour when it then finds the file is no bug of its threads.
 */
#include "neighbour.h"
#include <fcntl.h>

#define OTHERS 3

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int other[OTHERS];

static void *peeks(void *arg)
{
	int sum = 0;

	for (int i = 0; i < OTHERS; i++) {
		pthread_mutex_lock(&m);
		sum += other[i];
		pthread_mutex_unlock(&m);
		pthread_mutex_lock(&m);
		sum += other[i];
		pthread_mutex_unlock(&m);
	}
	return sum < 0 ? arg : NULL;
}

static void *pokes(void *arg)
{
	for (int i = 0; i < OTHERS; i++) {
		pthread_mutex_lock(&m);
		other[i]++;
		pthread_mutex_unlock(&m);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;
	int fd = open("lock", O_CREAT | O_EXCL | O_WRONLY, 0600);

	if (fd < 0) {
		fputs("it runs already\n", stderr);
		abort();
	}
	neighbours();
	if (torn)
		abort();
	pthread_create(&a, NULL, peeks, NULL);
	pthread_create(&b, NULL, pokes, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	unlink("lock");
	return 0;
}
