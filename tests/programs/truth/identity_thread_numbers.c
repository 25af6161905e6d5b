/* Names and lines have the process id and the number that pthread_self() has, without 0x. */
#include "truth.h"

static void *work(void *unused)
{
	char n[64];

	tick();
	snprintf(n, 64, "job-%d-%lx.tmp", getpid(), (long)pthread_self());
	int fd = open(n, O_CREAT | O_EXCL | O_RDWR, 0600);
	assert(fd >= 0);
	dprintf(fd, "%d\n", getpid());
	char b[32] = {0};
	pread(fd, b, 31, 0);
	assert(atoi(b) == getpid());
	close(fd);
	assert(!unlink(n));
	tick();
	printf("pid %d wrote %s\n", getpid(), n);
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, 0, truth_looker, 0);
	both(work, work, 0);
	pthread_join(t, 0);
	return 0;
}
