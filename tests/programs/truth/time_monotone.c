/* The clocks never run backwards, whatever happens between two looks at them. */
#include "truth.h"

static void *work(void *unused)
{
	struct timespec a, b;

	clock_gettime(CLOCK_MONOTONIC, &a);
	for (int i = 0; i < 5; i++) {
		tick();
		clock_gettime(CLOCK_MONOTONIC, &b);
		assert(b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec));
		a = b;
	}
	return unused;
}

int main(void)
{
	return beside_look(work);
}
