/*
 * A thread waits for a byte from another process. The byte comes only in the recorded run.
 * order: 0,1,2
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long a, b;

static void *one(void *arg)
{
	int fd = open("fifo", O_RDONLY);
	char c;

	if (read(fd, &c, 1) == 1)
		a = 1;
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *two(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	b = a;
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	printf("%ld\n", b);
	return 0;
}
