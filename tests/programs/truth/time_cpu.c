/* CPU time and usage only grow, and clock() works in every thread. */
#include "truth.h"
#include <sys/resource.h>
#include <sys/times.h>

static void *work(void *unused)
{
	struct rusage r, s;
	struct timespec a, b;
	struct tms t;
	clock_t c = clock(), w = times(&t);

	getrusage(RUSAGE_SELF, &r);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
	tick();
	for (volatile int i = 0; i < 10000; i++)
		;
	tick();
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
	getrusage(RUSAGE_SELF, &s);
	assert(clock() >= c && times(&t) >= w);
	assert(b.tv_sec > a.tv_sec || b.tv_nsec >= a.tv_nsec);
	assert(s.ru_utime.tv_sec > r.ru_utime.tv_sec || s.ru_utime.tv_usec >= r.ru_utime.tv_usec);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
