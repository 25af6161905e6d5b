/*
 * Loops that the compiler vectorises over structures whose other fields belong to another thread, with gathers
 * and interleaved groups; one thread owns the even slots, one the odd slots, one the flags.
 * build: -O3 -ffast-math -mavx2
 * native: no
 */
#include "truth.h"

enum { N = 97 };
struct cell {
	float x, y;
	int flag;
	short tag;
	char c, d;
};
static struct cell cells[N];
static int index_[N];
static float table[N];
static long long wide[N];

__attribute__((noinline)) static float sum_x(int first)
{
	float s = 0;

	for (int i = first; i < N; i += 2)
		s += cells[i].x * 2.0f;
	return s;
}

__attribute__((noinline)) static void scale(int first)
{
	for (int i = first; i < N; i += 2)
		cells[i].x = cells[i].x * 1.5f + 1.0f;
}

__attribute__((noinline)) static int tags(void)
{
	int n = 0;

	for (int i = 0; i < N; i++)
		n += cells[i].tag;
	return n;
}

__attribute__((noinline)) static void chars(char v)
{
	for (int i = 0; i < N; i++)
		cells[i].c = v;
}

__attribute__((noinline)) static void ds(char v)
{
	for (int i = 0; i < N; i++)
		cells[i].d = (char)(cells[i].d + v);
}

__attribute__((noinline)) static float gather(int parity)
{
	float s = 0;

	for (int i = 0; i < N; i++)
		if (index_[i] % 2 == parity)
			s += table[index_[i]];
	return s;
}

__attribute__((noinline)) static void scatter(int parity)
{
	for (int i = 0; i < N; i++)
		if (index_[i] % 2 == parity)
			table[index_[i]] += 1.0f;
}

__attribute__((noinline)) static void guarded(int parity, long long v)
{
	for (int i = 0; i < N; i++)
		if ((i & 1) == parity)
			wide[i] += v;
}

static void *run(void *arg)
{
	int p = (int)(long)arg;

	for (int k = 0; k < 2; k++) {
		if (p == 2) {
			assert(tags() == N);
			chars((char)k);
			continue;
		}
		if (p == 0)
			ds(1);
		scale(p);
		assert(sum_x(p) > 0);
		scatter(p);
		assert(gather(p) > 0);
		guarded(p, k + 1);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[3];
	double s = 0;

	for (int i = 0; i < N; i++) {
		index_[i] = i * 7 % N;
		cells[i].tag = 1;
	}
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, run, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < N; i++)
		s += cells[i].x + cells[i].d + table[i] + (double)wide[i] + cells[i].c;
	printf("%g\n", s);
	return s != N * (2.5 + 2 + 2 + 3 + 1);
}
