/*
 * main closes a descriptor while a thread may still write to it. Numbers are used again, also for a
 * pipe.
 * order: creation
 * spec: descriptor
 */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int fd;

static void *writer(void *arg)
{
	return write(fd, "x", 1) == 1 ? arg : NULL;
}

int main(void)
{
	pthread_t t;
	int p[2], before = open("/dev/null", O_WRONLY);

	close(before);
	if (pipe(p))
		return 1;
	if (write(p[1], "x", 1) != 1)
		return 1;
	close(p[0]);
	close(p[1]);
	fd = open("/dev/null", O_WRONLY);
	pthread_create(&t, NULL, writer, NULL);
#ifdef FIXED
	pthread_join(t, NULL);
#endif
	close(fd);
#ifndef FIXED
	pthread_join(t, NULL);
#endif
	return 0;
}
