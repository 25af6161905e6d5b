/*
 * One error of memory or arithmetic for each name; without a name, or with "none", none. Exits with
 * 3 if it survives.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static int global[10];
static char *volatile bytes;
static int *volatile ints;
static volatile int ten = 10, one = 1;
static int *heap;
static jmp_buf jump;

static void *use(void *arg)
{
	heap[2] = 5;
	return arg;
}

static void *give_back(void *arg)
{
	free(heap);
	return arg;
}

static void run(void *(*f)(void *))
{
	pthread_t t;

	pthread_create(&t, NULL, f, NULL);
	pthread_join(t, NULL);
}

__attribute__((noinline)) static int *local(void)
{
	int x[4];

	ints = x;
	x[1] = 3;
	return ints;
}

__attribute__((noinline)) static void deep(int n)
{
	char b[100];

	bytes = b;
	memset(b, n, sizeof(b));
	if (!n)
		longjmp(jump, 1);
	deep(n - 1);
}

__attribute__((noinline)) static int first(void)
{
	return *ints;
}

/* Everything that is near to an error and is none. */
static void none(void)
{
	for (int n = 1; n < 70; n++) {
		char *p = malloc((size_t)n), *q;

		for (int times = 0; times < 150; times++)
			for (int i = 0; i < n; i++) {
				bytes = p + i;
				*bytes = (char)i;
			}
		q = realloc(p, (size_t)n + 100);
		if (q[n - 1] != n - 1)
			abort();
		free(q);
	}
	if (!setjmp(jump))
		deep(50);
	heap = calloc(10, sizeof(*heap));
	run(use);
	printf("%d %d\n", heap[2], heap[3]);
	run(give_back);
	ints = aligned_alloc(64, 128);
	free(ints);
	ints = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ints[5] = 1;
	munmap(ints, 4096);
}

int main(int argc, char **argv)
{
	const char *w = argc > 1 ? argv[1] : "none";
	int x[10] = {0}, sum = 0x7fffffff;
	char b[20] = "0123456789";

	if (!strcmp(w, "none"))
		none();
	if (!strcmp(w, "use-after-free")) {
		heap = malloc(40);
		run(use);
		run(give_back);
		run(use);
	}
	if (!strcmp(w, "double-free")) {
		bytes = malloc(10);
		free(bytes);
		free(bytes);
	}
	if (!strcmp(w, "inner-free")) {
		bytes = malloc(100);
		free(bytes + 16);
	}
	if (!strcmp(w, "bad-realloc")) {
		bytes = malloc(10);
		free(bytes);
		bytes = realloc(bytes, 20);
	}
	if (!strcmp(w, "leak")) {
		bytes = malloc(77);
		bytes = NULL;
	}
	if (!strcmp(w, "stack")) {
		ints = x;
		return ints[ten];
	}
	if (!strcmp(w, "global")) {
		ints = global;
		return ints[ten];
	}
	if (!strcmp(w, "return"))
		return local()[1];
	if (!strcmp(w, "memcpy")) {
		bytes = malloc((size_t)ten);
		memcpy(bytes, b, (size_t)ten + 1);
	}
	if (!strcmp(w, "strcpy")) {
		bytes = malloc((size_t)ten);
		strcpy(bytes, b);
	}
	if (!strcmp(w, "strcat")) {
		bytes = malloc((size_t)ten);
		strcpy(bytes, "012345");
		strcat(bytes, b + 6);
	}
	if (!strcmp(w, "strlen")) {
		bytes = malloc((size_t)ten);
		memset(bytes, 'a', 10);
		return (int)strlen(bytes);
	}
	if (!strcmp(w, "calloc")) {
		ints = calloc((size_t)ten, sizeof(*ints));
		return ints[ten];
	}
	if (!strcmp(w, "null")) {
		ints = NULL;
		return first();
	}
	if (!strcmp(w, "overflow")) {
		sum += one;
		printf("%d\n", sum);
	}
	if (!strcmp(w, "abort"))
		abort();
	return 3;
}
