/* A spin lock in inline assembly: the compiler knows of no atomic here. */
#include "truth.h"

static volatile int lock;
static int x;

static int grab(void)
{
	int v = 1;

	__asm__ __volatile__("xchgl %0, %1" : "+r"(v), "+m"(lock) : : "memory");
	return v == 0;
}

static void drop(void)
{
	int v = 0;

	__asm__ __volatile__("xchgl %0, %1" : "+r"(v), "+m"(lock) : : "memory");
}

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++) {
		while (!grab())
			sched_yield();
		x++;
		drop();
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return x != 8;
}
