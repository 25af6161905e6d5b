/* A 16-byte compare-and-swap of a pointer and a tag. */
/* build: -mcx16 */
/* link: -latomic */
#include "truth.h"

struct __attribute__((aligned(16))) pair {
	long value, tag;
};

static struct pair p;

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++) {
		struct pair old, fresh;

		__atomic_load(&p, &old, __ATOMIC_ACQUIRE);
		do {
			fresh.value = old.value + 2;
			fresh.tag = old.tag + 1;
		} while (!__atomic_compare_exchange(&p, &old, &fresh, 0, __ATOMIC_ACQ_REL,
						    __ATOMIC_ACQUIRE));
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return p.value != 16 || p.tag != 8;
}
