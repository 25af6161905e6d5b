/*
 * The program counts its processors by system calls, as OpenMP's library does, and keeps one result
 * for each.
 */
#include "truth.h"
#include <sys/syscall.h>

static int processors(void)
{
	cpu_set_t set;
	long n;

	CPU_ZERO(&set);
	n = syscall(SYS_sched_getaffinity, 0, sizeof(set), &set);
	assert(n > 0);
	return CPU_COUNT(&set);
}

static int *result, count;

static void *work(void *unused)
{
	tick();
	assert(processors() == count);
	for (int i = 0; i < count; i++)
		result[i]++;
	tick();
	return unused;
}

int main(void)
{
	count = processors();
	result = calloc((size_t)count, sizeof(*result));
	beside_look(work);
	for (int i = 0; i < count; i++) {
		void *p = malloc(16);

		assert(p && result[i] == 1);
		free(p);
	}
	assert(processors() == count);
	free(result);
	return 0;
}
