/* A spin lock of the __atomic builtins, on a byte. */
#include "truth.h"

static unsigned char lock;
static int x;

static void *work(void *unused)
{
	for (int i = 0; i < 5; i++) {
		while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE))
			sched_yield();
		x += 3;
		__atomic_clear(&lock, __ATOMIC_RELEASE);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return x != 30;
}
