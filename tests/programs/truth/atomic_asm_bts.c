/* lock bts and lock btr on one bit: a bit lock. */
#include "truth.h"

static unsigned long word;
static int x;

static int set_bit(void)
{
	unsigned char was;

	__asm__ __volatile__("lock; btsq $3, %0; setc %1"
			     : "+m"(word), "=q"(was)
			     :
			     : "memory", "cc");
	return was;
}

static void clear_bit(void)
{
	__asm__ __volatile__("lock; btrq $3, %0" : "+m"(word) : : "memory", "cc");
}

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++) {
		while (set_bit())
			sched_yield();
		x += 2;
		clear_bit();
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return x != 16;
}
