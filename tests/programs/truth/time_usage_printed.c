/* A thread prints times and what it has used. */
#include "truth.h"
#include <sys/resource.h>
#include <sys/time.h>

static void *work(void *a)
{
	tick();
	time_t t = time(0);
	char b[32];
	printf("now %s", ctime_r(&t, b));
	struct timeval v;
	gettimeofday(&v, 0);
	printf("%ld.%06ld\n", (long)v.tv_sec, (long)v.tv_usec);
	struct rusage r;
	getrusage(RUSAGE_THREAD, &r);
	printf("cpu %ld us, %ld switches\n", (long)r.ru_utime.tv_usec, r.ru_nvcsw);
	printf("clock %ld\n", (long)clock());
	tick();
	return 0;
}

int main(void)
{
	return beside_look(work);
}
