/* A timerfd that one thread arms wakes the other. */
#include "truth.h"
#include <sys/timerfd.h>

static int fd, x;

static void *armer(void *unused)
{
	struct itimerspec it = {{0, 0}, {0, 1000000}};

	x = 3;
	assert(timerfd_settime(fd, 0, &it, NULL) == 0);
	return unused;
}

static void *waiter(void *unused)
{
	uint64_t n;

	assert(read(fd, &n, 8) == 8 && n >= 1);
	assert(x == 3);
	x = 4;
	return unused;
}

int main(void)
{
	fd = timerfd_create(CLOCK_MONOTONIC, 0);
	both(waiter, armer, NULL);
	return x != 4;
}
