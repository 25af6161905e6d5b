/*
 * A list of blocks on the heap, whose addresses differ from run to run, also from a recording to its replay: what lies before them has a
 * size that comes from the processor's clock. A block is in the list before its data is. What its thread reads last is where a text ends,
 * an address behind all of the memory that was allocated for it.
 *
 * expect: data-race b->data|list->data write@fill read@use alloc@alloc
 * harm: crash arena.c:@use
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <x86intrin.h>

struct block {
	struct block *next;
	pthread_mutex_t lock;
	char *data;
};

struct text {
	char *begin, *end;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct block *list;
static struct text title;
static void *before;

static struct block *push(const char *text)
{
	struct block *b = calloc(1, sizeof(*b)); /* @alloc */

	pthread_mutex_init(&b->lock, NULL);
	if (text)
		b->data = strdup(text);
	pthread_mutex_lock(&m);
	b->next = list;
	list = b;
	pthread_mutex_unlock(&m);
	return b;
}

static void *fill(void *arg)
{
	struct block *b;

	before = malloc(1 + 64u * (__rdtsc() / 32 % 256));
	title.begin = malloc(24);
	title.end = title.begin + 24;
	push("first");
	push("second");
#ifdef FIXED
	push("third");
	(void)b;
#else
	b = push(NULL);
	b->data = strdup("third"); /* @fill */
#endif
	for (char *p = title.begin; p != title.end; p++)
		*p = '-';
	return arg;
}

static void *use(void *arg)
{
	size_t sum = 0;

	usleep(100000);
	pthread_mutex_lock(&m);
	for (struct block *b = list; b; b = b->next) {
		pthread_mutex_lock(&b->lock);
		sum += strlen(b->data); /* @use */
		pthread_mutex_unlock(&b->lock);
	}
	pthread_mutex_unlock(&m);
	printf("%zu\n", sum);
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, fill, NULL);
	pthread_create(&t2, NULL, use, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	free(before);
	return 0;
}
