/*
 * A memory manager with a pool of small blocks and a pool of large ones. Each pool has a list of
 * free blocks and their number. To take a block, a thread unlinks it in one critical section and
 * updates the number in the next. It gives a block back in the same two steps. Between the two, the
 * monitor finds a list that does not agree with the number. Nothing races, and no pair of accesses
 * to one location is interrupted.
 *
 * One thread takes a small block, one gives a large block back, and the monitor checks both pools.
 * The monitor can interrupt each of the first two in one way.
 *
 * expect: atomic-set-violation small.head|p->head+small.count|p->count write@pop write@popped read@head read@count
 * harm: assert manager.c:@agree: Assertion `listed == counted' failed
 * expect: atomic-set-violation large.head|p->head+large.count|p->count write@push write@pushed read@head read@count
 * harm: assert manager.c:@agree: Assertion `listed == counted' failed
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 2

struct block {
	struct block *next;
	size_t size;
	char data[];
};

struct pool {
	pthread_mutex_t lock;
	struct block *head;
	int count;
};

static struct pool small = {.lock = PTHREAD_MUTEX_INITIALIZER}, large = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct block *take(struct pool *p)
{
	struct block *b;

	pthread_mutex_lock(&p->lock);
	b = p->head;
	if (!b) {
		pthread_mutex_unlock(&p->lock);
		return NULL;
	}
	p->head = b->next; /* @pop */
#ifndef FIXED
	pthread_mutex_unlock(&p->lock);
	pthread_mutex_lock(&p->lock);
#endif
	p->count--; /* @popped */
	pthread_mutex_unlock(&p->lock);
	return b;
}

static void give(struct pool *p, struct block *b)
{
	pthread_mutex_lock(&p->lock);
	b->next = p->head;
	p->head = b; /* @push */
#ifndef FIXED
	pthread_mutex_unlock(&p->lock);
	pthread_mutex_lock(&p->lock);
#endif
	p->count++; /* @pushed */
	pthread_mutex_unlock(&p->lock);
}

static void *reader(void *arg)
{
	struct block *b = take(&small);

	if (!b)
		exit(4);
	snprintf(b->data, b->size, "a line that was read");
	*(struct block **)arg = b;
	return NULL;
}

static void *writer(void *arg)
{
	struct block *b = arg;

	memset(b->data, 0, b->size);
	give(&large, b);
	return NULL;
}

__attribute__((noinline)) static int length(const struct block *b)
{
	int n = 0;

	for (; b; b = b->next)
		n++;
	return n;
}

static void check(struct pool *p)
{
	int listed, counted;

	pthread_mutex_lock(&p->lock);
	listed = length(p->head); /* @head */
	counted = p->count;	  /* @count */
	pthread_mutex_unlock(&p->lock);
	assert(listed == counted); /* @agree */
}

static void *monitor(void *arg)
{
	check(&small);
	check(&large);
	return arg;
}

static void fill(struct pool *p, size_t size)
{
	for (int i = 0; i < BLOCKS; i++) {
		struct block *b = calloc(1, sizeof(*b) + size);

		if (!b)
			exit(9);
		b->size = size;
		give(p, b);
	}
}

static void empty(struct pool *p)
{
	for (struct block *b; (b = take(p));)
		free(b);
}

int main(void)
{
	struct block *taken = NULL, *held;
	pthread_t t1, t2, t3;

	fill(&small, 64);
	fill(&large, 4096);
	held = take(&large);
	pthread_create(&t1, NULL, reader, &taken);
	pthread_create(&t2, NULL, writer, held);
	pthread_create(&t3, NULL, monitor, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	pthread_join(t3, NULL);
	printf("%d small ones and %d large ones are free\n", small.count, large.count);
	free(taken);
	empty(&small);
	empty(&large);
	return 0;
}
