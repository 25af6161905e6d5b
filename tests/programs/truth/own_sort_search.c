/* The program defines qsort, bsearch, strnlen, strdup and rand itself, and its threads use them. */
#include "truth.h"
#include <stdatomic.h>
static atomic_uint seed = 1;
int rand(void)
{
	return (int)(atomic_fetch_add(&seed, 7) % 101);
}
void qsort(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *))
{
	char *b = base, t[64];

	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k && cmp(b + (k - 1) * size, b + k * size) > 0; k--) {
			memcpy(t, b + k * size, size);
			memcpy(b + k * size, b + (k - 1) * size, size);
			memcpy(b + (k - 1) * size, t, size);
		}
}
void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*cmp)(const void *, const void *))
{
	for (size_t i = 0; i < n; i++)
		if (!cmp(key, (const char *)base + i * size))
			return (char *)base + i * size;
	return NULL;
}
size_t strnlen(const char *s, size_t max)
{
	size_t n = 0;

	while (n < max && s[n])
		n++;
	return n;
}
static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}
static void *worker(void *unused)
{
	int v[6], key;

	(void)unused;
	for (int i = 0; i < 6; i++)
		v[i] = rand();
	key = v[3];
	qsort(v, 6, sizeof(*v), compare);
	for (int i = 1; i < 6; i++)
		assert(v[i - 1] <= v[i]);
	assert(bsearch(&key, v, 6, sizeof(*v), compare));
	assert(strnlen("abc", 9) == 3);
	return NULL;
}
int main(void)
{
	return both(worker, worker, NULL);
}
