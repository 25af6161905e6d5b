/*
 * Each of two threads reads one event of an eventfd; a read takes all that have come.
 * order: creation
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#ifdef FIXED
#define FLAGS EFD_SEMAPHORE
#else
#define FLAGS 0
#endif

static int fd;

static void *writes(void *arg)
{
	uint64_t one = 1;

	if (write(fd, &one, sizeof(one)) != sizeof(one))
		abort();
	return arg;
}

static void *reads(void *arg)
{
	uint64_t n;

	if (read(fd, &n, sizeof(n)) != sizeof(n)) /* @wait */
		abort();
	return arg;
}

int main(void)
{
	pthread_t t[4];

	fd = eventfd(0, FLAGS);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], 0, i % 2 ? reads : writes, 0);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	return 0;
}
