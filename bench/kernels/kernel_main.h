/*
 * The common part of the kernels: their command line, a random generator, a checksum.
 *
 *	KERNEL [SIZE [ROUNDS [THREADS]]]
 *
 * SIZE is the size of the problem (each kernel defines its unit), ROUNDS the number of repetitions
 * over the same memory, THREADS the number of working threads. Each kernel prints one line, its
 * name and a checksum that depends on these arguments alone, never on the schedule.
 */
#ifndef BENCH_KERNEL_H
#define BENCH_KERNEL_H

#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
	long size;
	long rounds;
	int threads;
};

static inline void die(const char *what)
{
	perror(what);
	exit(1);
}

static inline struct options parse_options(int argc, char **argv, long default_size)
{
	struct options o = {.size = default_size, .rounds = 1, .threads = 2};

	if (argc > 1)
		o.size = strtol(argv[1], NULL, 10);
	if (argc > 2)
		o.rounds = strtol(argv[2], NULL, 10);
	if (argc > 3)
		o.threads = (int)strtol(argv[3], NULL, 10);
	if (o.size < 1 || o.rounds < 1 || o.threads < 1 || o.threads > 256) {
		fprintf(stderr, "usage: %s [SIZE [ROUNDS [THREADS]]]\n", argv[0]);
		exit(2);
	}
	return o;
}

static inline void *allocate(size_t bytes)
{
	void *p = malloc(bytes);

	if (!p)
		die("malloc");
	return p;
}

/* xorshift64*: small, good enough, the same everywhere. */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * UINT64_C(0x2545f4914f6cdd1d);
}

static inline uint64_t random_seed(uint64_t n)
{
	uint64_t x = n * UINT64_C(0x9e3779b97f4a7c15) + 1;

	return x ? x : 1;
}

/* FNV-1a over 64-bit words. */
static inline uint64_t checksum_add(uint64_t sum, uint64_t word)
{
	return (sum ^ word) * UINT64_C(0x100000001b3);
}

/* Starts the threads on `run(&arg[i])`, arguments `size` bytes apart, and waits for them. */
static inline void run_threads(int n, void *(*run)(void *), void *args, size_t size)
{
	pthread_t *t = allocate((size_t)n * sizeof(*t));

	for (int i = 0; i < n; i++) {
		if (pthread_create(&t[i], NULL, run, (char *)args + (size_t)i * size))
			die("pthread_create");
	}
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	free(t);
}

#endif
