/*
 * Notices that another copy of it runs at the same time: it makes a file exclusively, works for a
 * while, and removes the file. Correct if copies come one after the other.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second, third;

static void *reads_first(void *arg)
{
	int a, b;

	(void)arg;
	pthread_mutex_lock(&lock);
	a = first;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	b = first;
	pthread_mutex_unlock(&lock);
	return (void *)(long)(b < a);
}

static void *reads_second(void *arg)
{
	int a, b;

	(void)arg;
	pthread_mutex_lock(&lock);
	a = second;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	b = second;
	pthread_mutex_unlock(&lock);
	return (void *)(long)(b < a);
}

static void *reads_third(void *arg)
{
	int a, b;

	(void)arg;
	pthread_mutex_lock(&lock);
	a = third;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	b = third;
	pthread_mutex_unlock(&lock);
	return (void *)(long)(b < a);
}

static void add(int *p)
{
	pthread_mutex_lock(&lock);
	++*p;
	pthread_mutex_unlock(&lock);
}

static void add_all(void)
{
	add(&first);
	add(&second);
	add(&third);
}

static void *writes(void *arg)
{
	static char block[1 << 16];
	int fd = open("overlap", O_CREAT | O_EXCL | O_WRONLY, 0600);

	if (fd < 0)
		abort();
	add_all();
	for (int i = 0; i < 50; i++)
		if (write(fd, block, sizeof(block)) < 0)
			abort();
	close(fd);
	unlink("overlap");
	add_all();
	return arg;
}

int main(void)
{
	void *(*const read[])(void *) = {reads_first, reads_second, reads_third};
	pthread_t t[4];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, read[i], NULL);
	pthread_create(&t[3], NULL, writes, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
