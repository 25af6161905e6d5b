/*
 * Each element has an atomic flag of its own; the sum adds only published elements.
 * build: -O3 -mavx2 -ffast-math
 */
#include "truth.h"
#include <stdatomic.h>
#define N 16
static atomic_char ready[N];
static float data[N];
static void *writer(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++) {
		data[i] = 1.0f;
		atomic_store_explicit(&ready[i], 1, memory_order_release);
	}
	return NULL;
}
static void *reader(void *unused)
{
	float s = 0;
	int n = 0;

	(void)unused;
	for (int i = 0; i < N; i++)
		if (atomic_load_explicit(&ready[i], memory_order_acquire)) {
			s += data[i];
			n++;
		}
	assert(s == (float)n);
	return NULL;
}
int main(void)
{
	return both(writer, reader, NULL);
}
