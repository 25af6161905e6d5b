/*
 * Every way in which memory passes between threads that the filters must not lose: owned by one
 * thread for long, handed over, taken in turns, read by all, freed by another, swept by loops and
 * copies. Which thread does what when is decided by barriers and joins, so that two recordings of
 * this program do the same in the same order.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 300 };

static pthread_barrier_t step;
static long owned, turns, mixed[8];
static uint32_t table[256];
static char bytes[64];
static double vec[512];
static struct pair {
	int a;
	short b;
	char c[10];
} pair;
static long *heap;
static volatile long sink;

/* Only one thread runs between two barriers. */
static void wait(void)
{
	pthread_barrier_wait(&step);
}

static void churn(long *x, int n)
{
	for (int i = 0; i < n; i++) {
		*(volatile long *)x += i;
		sink += *(volatile long *)x & 1;
	}
}

static void scatter(uint32_t seed)
{
	for (int i = 0; i < N; i++) {
		seed = seed * 1664525u + 1013904223u;
		table[seed >> 24] += seed & 0xff;
	}
}

static void fill(double v)
{
	for (int i = 0; i < 512; i++)
		vec[i] = v + i;
}

static double sum(int stride)
{
	double s = 0;

	for (int i = 0; i < 512; i += stride)
		s += vec[i];
	return s;
}

static void bytewise(int n)
{
	for (int i = 0; i < n; i++) {
		bytes[i % 64] ^= (char)i;
		pair.b += bytes[(i * 7) % 64];
		memcpy(pair.c, bytes + i % 32, 10);
		pair.a ^= pair.c[3];
	}
}

static void *other(void *arg)
{
	wait(); /* 1 -> 2 */
	churn(&owned, N);
	churn(&turns, 5);
	scatter(2);
	sink += (long)sum(1);
	bytewise(N);
	for (int i = 0; i < N; i++)
		heap[i % 32] += i;
	churn(&mixed[3], N);
	wait(); /* 2 -> 3 */
	wait(); /* 3 -> 4 */
	churn(&turns, N);
	fill(2.5);
	free(heap);
	for (int i = 0; i < N; i++)
		sink += table[i % 256];
	wait(); /* 4 -> 5 */
	wait(); /* 5 -> 6 */
	for (int i = 0; i < N; i++)
		sink += table[(i * 3) % 256] + mixed[i % 8];
	return arg;
}

int main(void)
{
	pthread_t t;

	heap = calloc(32, sizeof(*heap));
	pthread_barrier_init(&step, NULL, 2);
	churn(&owned, 2 * N);
	scatter(1);
	fill(1.5);
	bytewise(N);
	for (int i = 0; i < N; i++)
		heap[(i * 5) % 32] ^= i;
	churn(&mixed[2], N);
	pthread_create(&t, NULL, other, NULL);
	wait(); /* 1 -> 2 */
	wait(); /* 2 -> 3 */
	churn(&turns, N);
	churn(&mixed[3], 3);
	scatter(3);
	sink += (long)sum(3) + owned;
	bytewise(7);
	wait(); /* 3 -> 4 */
	wait(); /* 4 -> 5 */
	for (int i = 0; i < N; i++)
		sink += table[(i * 3) % 256];
	sink += (long)sum(2);
	wait(); /* 5 -> 6 */
	pthread_join(t, NULL);
	printf("%ld %ld %ld %ld %d %d\n", owned, turns, mixed[2], mixed[3], pair.a, pair.b);
	return 0;
}
