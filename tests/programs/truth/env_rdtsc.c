/* Processor instructions that tell time and identity: only sane properties are assumed. */
#include "truth.h"
#include <x86intrin.h>

static void *work(void *unused)
{
	unsigned long long a = __rdtsc(), b;
	unsigned cpu;

	tick();
	b = __rdtscp(&cpu);
	tick();
	assert(b > a || b + (1ull << 40) > a);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
