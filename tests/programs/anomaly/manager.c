/*
 * A manager of memory: blocks on a free list, and how many there are. It takes a block off the list in one critical
 * section and counts in the next, and so for blocks that come back. Between the two the monitor finds a list that
 * does not agree with the count. Nothing races, and no access of one of the two alone is interrupted.
 *
 * The unit of `take` and that of `give` write both; the monitor reads both. Each can be interrupted by the monitor as
 * a whole, in one way: two interleavings that harm. (That `take` and `give` come between each other does none: they
 * add up.)
 *
 * expect: atomic-set-violation pool.head+pool.count write@pop write@popped read@head read@count
 * harm: assert manager.c:@agree: Assertion `listed == counted' failed
 * expect: atomic-set-violation pool.head+pool.count write@push write@pushed read@head read@count
 * harm: assert manager.c:@agree: Assertion `listed == counted' failed
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCKS 3
#define SIZE 64

struct block {
	struct block *next;
	char data[SIZE];
};

static struct block memory[BLOCKS];
static struct {
	struct block *head;
	int count;
} pool;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct block *take(void)
{
	struct block *b;

	pthread_mutex_lock(&lock);
	b = pool.head;
	if (!b) {
		pthread_mutex_unlock(&lock);
		return NULL;
	}
	pool.head = b->next; /* @pop */
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#endif
	pool.count--; /* @popped */
	pthread_mutex_unlock(&lock);
	return b;
}

static void give(struct block *b)
{
	pthread_mutex_lock(&lock);
	b->next = pool.head;
	pool.head = b; /* @push */
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#endif
	pool.count++; /* @pushed */
	pthread_mutex_unlock(&lock);
}

static void *reader(void *arg)
{
	struct block *b = take();

	if (!b)
		exit(4);
	strcpy(b->data, "a line that was read");
	*(struct block **)arg = b;
	return NULL;
}

static void *writer(void *arg)
{
	struct block *b = *(struct block **)arg;

	usleep(50000);
	memset(b->data, 0, sizeof(b->data));
	give(b);
	return NULL;
}

static void *monitor(void *arg)
{
	int listed = 0, counted;
	const struct block *b;

	usleep(100000);
	pthread_mutex_lock(&lock);
	b = pool.head;	      /* @head */
	counted = pool.count; /* @count */
	for (; b; b = b->next)
		listed++;
	pthread_mutex_unlock(&lock);
	assert(listed == counted); /* @agree */
	return arg;
}

int main(void)
{
	struct block *taken = NULL, *held;
	pthread_t t1, t2, t3;

	for (int i = 0; i < BLOCKS; i++)
		give(&memory[i]);
	held = take();
	pthread_create(&t1, NULL, reader, &taken);
	pthread_create(&t2, NULL, writer, &held);
	pthread_create(&t3, NULL, monitor, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	pthread_join(t3, NULL);
	printf("%d of %d are free\n", pool.count, BLOCKS);
	return taken->data[0] != 'a';
}
