/* A reader-writer spin lock in one word: the top bit is the writer, the rest counts readers. */
#include "truth.h"
#include <stdatomic.h>
#define WRITER 0x80000000u
static atomic_uint word;
static int a, b;
static void *reader(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		unsigned w = atomic_fetch_add_explicit(&word, 1, memory_order_acquire);

		while (w & WRITER) {
			sched_yield();
			w = atomic_load_explicit(&word, memory_order_acquire);
		}
		assert(a == b);
		atomic_fetch_sub_explicit(&word, 1, memory_order_release);
	}
	return NULL;
}
static void *writer(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		unsigned none = 0;

		while (!atomic_compare_exchange_weak_explicit(&word, &none, WRITER, memory_order_acquire, memory_order_relaxed)) {
			none = 0;
			sched_yield();
		}
		a++;
		b++;
		atomic_fetch_sub_explicit(&word, WRITER, memory_order_release);
	}
	return NULL;
}
int main(void)
{
	both(reader, writer, NULL);
	assert(a == 3);
	return 0;
}
