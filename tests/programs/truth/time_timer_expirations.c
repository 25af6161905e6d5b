/* A timerfd's first expiration is not before its time. */
#include "truth.h"
#include <sys/timerfd.h>

static void *work(void *unused)
{
	struct itimerspec it = {{0, 0}, {0, 6000000}};
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);
	struct timespec a, b;
	uint64_t n;

	tick();
	clock_gettime(CLOCK_MONOTONIC, &a);
	assert(timerfd_settime(fd, 0, &it, NULL) == 0);
	assert(read(fd, &n, 8) == 8 && n == 1);
	clock_gettime(CLOCK_MONOTONIC, &b);
	assert((b.tv_sec - a.tv_sec) * 1000000000l + b.tv_nsec - a.tv_nsec >= 5900000);
	tick();
	close(fd);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
