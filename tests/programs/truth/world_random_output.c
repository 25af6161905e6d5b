/* Output of random numbers, names of temporary files and durations. */
#include "truth.h"

static void *work(void *unused)
{
	char name[] = "rnd.XXXXXX";
	struct timespec a, b;
	int fd;

	clock_gettime(CLOCK_MONOTONIC, &a);
	tick();
	srandom((unsigned)time(NULL) ^ (unsigned)getpid());
	fd = mkstemp(name);
	tick();
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("%ld %s %ld ns\n", random(), name,
	       (b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec);
	close(fd);
	unlink(name);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
