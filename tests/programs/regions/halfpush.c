/*
 * A push that counts in a second lock region: a pop in between finds the element, but not its
 * count, and says so while it still holds the lock. FIXED: one region. The push comes first in the
 * recorded run, although its thread is created last.
 *
 * order: 0,2,1
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
	int v;
	struct node *next;
};
static struct {
	struct node *head;
	int count;
	pthread_mutex_t lock;
} q = {NULL, 0, PTHREAD_MUTEX_INITIALIZER};

static void push(int v)
{
	struct node *n = malloc(sizeof(*n));

	n->v = v;
	pthread_mutex_lock(&q.lock);
	n->next = q.head;
	q.head = n;
#ifndef FIXED
	pthread_mutex_unlock(&q.lock);
	pthread_mutex_lock(&q.lock);
#endif
	q.count++;
	pthread_mutex_unlock(&q.lock);
}

static int pop(void)
{
	int v = -1;

	pthread_mutex_lock(&q.lock);
	if (q.head) {
		struct node *n = q.head;

		q.head = n->next;
		q.count--;
#ifdef CRASH
		if (q.count < 0)
			*(volatile int *)0 = v;
#else
		assert(q.count >= 0);
#endif
		v = n->v;
		free(n);
	}
	pthread_mutex_unlock(&q.lock);
	return v;
}

static void *producer(void *arg)
{
	push(1);
	return arg;
}

static void *consumer(void *arg)
{
	pop();
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, consumer, NULL);
	pthread_create(&b, NULL, producer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("count %d\n", q.count);
	return 0;
}
