/* A program with an allocator of its own. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char heap[1 << 20];
static size_t used;

void *malloc(size_t n)
{
	size_t room = (n + 31) & ~(size_t)15;
	char *p = heap + __atomic_fetch_add(&used, room, __ATOMIC_RELAXED);

	*(size_t *)p = n;
	return p + 16;
}

void free(void *p)
{
	(void)p;
}

void *calloc(size_t n, size_t size)
{
	return malloc(n * size); /* never used before: zero */
}

void *realloc(void *old, size_t n)
{
	void *p = malloc(n);
	size_t had = old ? *(size_t *)((char *)old - 16) : 0;

	memcpy(p, old ? old : p, had < n ? had : n);
	return p;
}

static void *copy(void *arg)
{
	return strdup(arg);
}

int main(void)
{
	pthread_t t;
	void *r;

	pthread_create(&t, NULL, copy, "from my heap");
	pthread_join(t, &r);
	printf("%s %d\n", (char *)r, (char *)r > heap && (char *)r < heap + sizeof(heap));
	return 0;
}
