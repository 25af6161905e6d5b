/*
 * A list of blocks on the heap, whose addresses differ from run to run: the block before them has a
 * size that comes from /dev/urandom. A block is in the list before its data is set.
 *
 * expect: data-race b->data|list->data write@fill read@use alloc@alloc
 * harm: crash arena.c:@use
 * order: creation
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct block {
	struct block *next;
	pthread_mutex_t lock;
	char *data;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct block *list;

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

	push("first");
	push("second");
#ifdef FIXED
	push("third");
	(void)b;
#else
	b = push(NULL);
	b->data = strdup("third"); /* @fill */
#endif
	return arg;
}

static void *use(void *arg)
{
	size_t sum = 0;

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
	unsigned char pad = 0;
	int fd = open("/dev/urandom", O_RDONLY);
	pthread_t t1, t2;
	void *before;

	if (read(fd, &pad, 1) != 1)
		return 2;
	before = malloc(1 + 64u * pad);
	pthread_create(&t1, NULL, fill, NULL);
	pthread_create(&t2, NULL, use, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	free(before);
	return 0;
}
