/* lock cmpxchg and lock xadd in inline assembly, as old libraries have them. */
#include "truth.h"

static int lock, count, x;

static int cas(int *p, int old, int new)
{
	int prev;

	__asm__ __volatile__("lock; cmpxchgl %2, %1"
			     : "=a"(prev), "+m"(*p)
			     : "r"(new), "0"(old)
			     : "memory");
	return prev;
}

static int add(int *p, int n)
{
	__asm__ __volatile__("lock; xaddl %0, %1" : "+r"(n), "+m"(*p) : : "memory");
	return n;
}

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++) {
		while (cas(&lock, 0, 1) != 0)
			sched_yield();
		x++;
		assert(cas(&lock, 1, 0) == 1);
		add(&count, 1);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return x != 8 || add(&count, 0) != 8;
}
