/* pthread_setaffinity_np() on the thread itself; the mask reads back as set. */
#include "truth.h"

static void *work(void *unused)
{
	cpu_set_t old, one, got;
	int k = 0;

	pthread_getaffinity_np(pthread_self(), sizeof(old), &old);
	while (!CPU_ISSET(k, &old))
		k++;
	CPU_ZERO(&one);
	CPU_SET(k, &one);
	tick();
	assert(pthread_setaffinity_np(pthread_self(), sizeof(one), &one) == 0);
	assert(pthread_getaffinity_np(pthread_self(), sizeof(got), &got) == 0);
	assert(CPU_EQUAL(&one, &got) && CPU_COUNT(&got) == 1);
	tick();
	assert(sched_getcpu() == k);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
