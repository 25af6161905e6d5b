/* A thread pins itself and asks where it runs. */
#include "truth.h"

static void *work(void *unused)
{
	cpu_set_t old, one;

	tick();
	assert(sched_getaffinity(0, sizeof(old), &old) == 0);
	for (int k = 0; k < CPU_SETSIZE; k++) {
		unsigned cpu;

		if (!CPU_ISSET(k, &old))
			continue;
		CPU_ZERO(&one);
		CPU_SET(k, &one);
		assert(sched_setaffinity(0, sizeof(one), &one) == 0);
		assert(sched_getcpu() == k && getcpu(&cpu, NULL) == 0 && (int)cpu == k);
		tick();
	}
	assert(sched_setaffinity(0, sizeof(old), &old) == 0);
	tick();
	return unused;
}

int main(void)
{
	return beside_look(work);
}
