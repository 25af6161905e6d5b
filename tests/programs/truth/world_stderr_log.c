/* A log to standard error with time stamps, beside results on standard output. */
#include "truth.h"

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		struct timespec t;

		clock_gettime(CLOCK_MONOTONIC, &t);
		fprintf(stderr, "[%ld.%06ld] step %d of thread %d\n", (long)t.tv_sec,
			t.tv_nsec / 1000, i, (int)gettid());
		tick();
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	puts("done");
	return 0;
}
