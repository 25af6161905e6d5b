/*
 * Each worker prints the number of workers that had begun before its work and after it; all
 * accesses are atomic.
 *
 * options: --order creation
 */
#include "truth.h"
#include <stdatomic.h>

static atomic_int begun, done;

static void *work(void *unused)
{
	for (int i = 0; i < 2; i++) {
		int before = atomic_load(&begun), after;

		atomic_fetch_add(&begun, 1);
		after = atomic_load(&begun);
		atomic_fetch_add(&done, 1);
		assert(after > before);
		printf("%d before, %d after, %d done, %s\n", before, after, atomic_load(&done),
		       atomic_load(&begun) == atomic_load(&done) ? "nobody is at work" : "others are at work");
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return begun != 4 || done != 4;
}
