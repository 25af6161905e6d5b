/* The malloc family: before main, in main, moved, in place, failing, aligned. */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *early;
static void *volatile sink; /* or the compiler leaves a malloc out */

__attribute__((constructor)) static void before_main(void)
{
	early = malloc(10);
	strcpy(early, "early");
}

static void *give_back(void *arg)
{
	free(arg);
	return NULL;
}

int main(void)
{
	volatile size_t huge = PTRDIFF_MAX;
	char *p, *q, *big;
	void *a;
	pthread_t t;

	printf("%s\n", early);
	free(early);
	p = calloc(3, 7);
	printf("zero %d\n", p[20]);
	strcpy(p, "kept");
	p = realloc(p, 100000);
	printf("grown %s\n", p);
	p = realloc(p, 200000);
	p = realloc(p, 10);
	printf("shrunk %s\n", p);
	q = realloc(p, huge);
	printf("failed %d, still %s\n", q == NULL, p);
	pthread_create(&t, NULL, give_back, p);
	pthread_join(t, NULL);
	p = realloc(sink = NULL, 33);
	p = reallocarray(p, 4, 44);
	printf("array %d\n", reallocarray(p, huge, 4) == NULL);
	free(p);
	sink = big = malloc(10 << 20);
	sink = big = realloc(big, 20 << 20);
	big[(20 << 20) - 1] = 1;
	free(big);
	printf("posix %d\n", posix_memalign(&a, 64, 100));
	printf("aligned %d\n", (int)((uintptr_t)a % 64));
	free(a);
	printf("bad %d\n", posix_memalign(&a, 3, 100) != 0);
	free(sink = aligned_alloc(32, 64));
	free(sink = memalign(128, 5));
	free(sink = valloc(5));
	free(sink = pvalloc(5));
	printf("usable %d\n", malloc_usable_size(sink = p = malloc(77)) >= 77);
	free(p);
	free(NULL);
	return 0;
}
