/* A state machine in one atomic: in each state other fields may be read. */
#include "truth.h"
#include <stdatomic.h>
enum { EMPTY, HALF, FULL };
static atomic_int state;
static int lower, upper;
static void *writer(void *unused)
{
	(void)unused;
	lower = 4;
	atomic_store_explicit(&state, HALF, memory_order_release);
	upper = 8;
	atomic_store_explicit(&state, FULL, memory_order_release);
	return NULL;
}
static int read_it(void)
{
	switch (atomic_load_explicit(&state, memory_order_acquire)) {
	case HALF:
		return lower;
	case FULL:
		return lower + upper;
	default:
		return 0;
	}
}
static void *reader(void *unused)
{
	int last = 0;

	(void)unused;
	for (int i = 0; i < 3; i++) {
		int v = read_it();

		assert(v >= last && (v == 0 || v == 4 || v == 12));
		last = v;
	}
	return NULL;
}
int main(void)
{
	return both(writer, reader, NULL);
}
