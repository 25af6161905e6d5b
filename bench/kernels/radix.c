/*
 * Parallel radix sort of 32-bit keys, eight bits a pass. SIZE is the number of keys. In each pass a
 * thread counts the digits of its band, the counts of all threads are summed into places, and each
 * thread moves its band; barriers between.
 */
#include "kernel_main.h"

#define DIGITS 256
#define PASSES 4

static uint32_t *keys, *moved;
static long *counts; /* [thread][digit] */
static long total;
static int threads;
static long rounds;
static pthread_barrier_t barrier;

static void count_digits(const uint32_t *from, long lo, long hi, int shift, long *count)
{
	memset(count, 0, DIGITS * sizeof(*count));
	for (long i = lo; i < hi; i++)
		count[from[i] >> shift & (DIGITS - 1)]++;
}

/* Where this thread's first key of each digit goes. */
static void find_places(int self, long *place)
{
	long before = 0;

	for (int d = 0; d < DIGITS; d++) {
		place[d] = before;
		for (int t = 0; t < threads; t++) {
			if (t < self)
				place[d] += counts[t * DIGITS + d];
			before += counts[t * DIGITS + d];
		}
	}
}

static void sort_pass(int self, const uint32_t *from, uint32_t *to, int shift)
{
	long lo = total * self / threads, hi = total * (self + 1) / threads;
	long place[DIGITS];

	count_digits(from, lo, hi, shift, &counts[self * DIGITS]);
	pthread_barrier_wait(&barrier);
	find_places(self, place);
	for (long i = lo; i < hi; i++)
		to[place[from[i] >> shift & (DIGITS - 1)]++] = from[i];
	pthread_barrier_wait(&barrier);
}

static void fill_keys(int self, long round)
{
	long lo = total * self / threads, hi = total * (self + 1) / threads;

	for (long i = lo; i < hi; i++) {
		uint64_t rng = random_seed((uint64_t)(i + round * total));

		keys[i] = (uint32_t)(random_next(&rng) >> 32);
	}
}

static void *worker(void *arg)
{
	int self = *(int *)arg;

	for (long r = 0; r < rounds; r++) {
		uint32_t *from = keys, *to = moved;

		fill_keys(self, r);
		pthread_barrier_wait(&barrier);
		for (int pass = 0; pass < PASSES; pass++) {
			uint32_t *t = from;

			sort_pass(self, from, to, 8 * pass);
			from = to;
			to = t;
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct options o = parse_options(argc, argv, 4000000);
	uint64_t sum = 0;
	int *ids;

	total = o.size;
	threads = o.threads;
	rounds = o.rounds;
	keys = allocate((size_t)total * sizeof(*keys));
	moved = allocate((size_t)total * sizeof(*moved));
	counts = allocate((size_t)threads * DIGITS * sizeof(*counts));
	pthread_barrier_init(&barrier, NULL, (unsigned)threads);
	ids = allocate((size_t)threads * sizeof(*ids));
	for (int i = 0; i < threads; i++)
		ids[i] = i;
	run_threads(threads, worker, ids, sizeof(*ids));

	for (long i = 0; i < total; i++) {
		if (i && keys[i - 1] > keys[i]) {
			fprintf(stderr, "radix: not sorted at %ld\n", i);
			return 1;
		}
		sum = checksum_add(sum, keys[i]);
	}
	printf("radix %016" PRIx64 "\n", sum);
	pthread_barrier_destroy(&barrier);
	free(ids);
	free(counts);
	free(moved);
	free(keys);
	return 0;
}
