/* clock_nanosleep() to an absolute time never ends early. */
#include "truth.h"

static void *work(void *unused)
{
	struct timespec t, n;

	clock_gettime(CLOCK_MONOTONIC, &t);
	for (int i = 0; i < 3; i++) {
		t.tv_nsec += 3000000;
		t.tv_sec += t.tv_nsec / 1000000000;
		t.tv_nsec %= 1000000000;
		tick();
		assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == 0);
		clock_gettime(CLOCK_MONOTONIC, &n);
		assert(n.tv_sec > t.tv_sec || (n.tv_sec == t.tv_sec && n.tv_nsec >= t.tv_nsec));
	}
	return unused;
}

int main(void)
{
	return beside_look(work);
}
