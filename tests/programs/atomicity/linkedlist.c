/*
 * A linked list behind a synchronised wrapper, as Java's. a.containsAll(b) holds the lock of a. It
 * asks b for its size and then for its first element; each question locks b. If another thread
 * removes the first element in between, the search starts at the second element, expects the old
 * number of elements and runs off the end. An element does not change while it is in a list, so
 * nothing races. The method reads `head` and `count` once each.
 *
 * One pair of units: the whole removal comes between the two questions. An addition at the front
 * can come there as well. Then the search leaves out the last element, which does no harm here.
 *
 * expect: atomic-set-violation b.count+b.head read@size read@first write@fewer write@unlink
 * harm: crash linkedlist.c:@walk
 * expect: atomic-set-violation b.count+b.head read@size read@first write@more write@link
 * harm: none seen
 * order: creation
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
	int value;
	struct node *next;
};

struct list {
	pthread_mutex_t lock;
	struct node *head;
	int count;
};

static void list_push(struct list *l, int value)
{
	struct node *n = malloc(sizeof(*n));

	if (!n)
		exit(9);
	n->value = value;
	pthread_mutex_lock(&l->lock);
	n->next = l->head;
	l->head = n; /* @link */
	l->count++;  /* @more */
	pthread_mutex_unlock(&l->lock);
}

/* Nodes are freed at the end: others may yet look at them. */
static struct node *list_pop(struct list *l)
{
	struct node *n;

	pthread_mutex_lock(&l->lock);
	n = l->head;
	if (n) {
		l->head = n->next; /* @unlink */
		l->count--;	   /* @fewer */
	}
	pthread_mutex_unlock(&l->lock);
	return n;
}

#ifndef FIXED
static int list_size(struct list *l)
{
	int n;

	pthread_mutex_lock(&l->lock);
	n = l->count; /* @size */
	pthread_mutex_unlock(&l->lock);
	return n;
}

static const struct node *list_first(struct list *l)
{
	const struct node *n;

	pthread_mutex_lock(&l->lock);
	n = l->head; /* @first */
	pthread_mutex_unlock(&l->lock);
	return n;
}
#endif

static bool has(const struct node *n, int value)
{
	for (; n; n = n->next)
		if (n->value == value)
			return true;
	return false;
}

static bool list_contains_all(struct list *a, struct list *b)
{
	const struct node *p;
	bool all = true;
	int n;

	pthread_mutex_lock(&a->lock);
#ifdef FIXED
	pthread_mutex_lock(&b->lock);
	n = b->count;
	p = b->head;
	pthread_mutex_unlock(&b->lock);
#else
	n = list_size(b);
	p = list_first(b);
#endif
	for (int i = 0; i < n; i++) {
		all = has(a->head, p->value) && all; /* @walk */
		p = p->next;
	}
	pthread_mutex_unlock(&a->lock);
	return all;
}

static struct list a = {.lock = PTHREAD_MUTEX_INITIALIZER}, b = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *compare(void *arg)
{
	*(bool *)arg = list_contains_all(&a, &b);
	return NULL;
}

static void *shrink(void *arg)
{
	*(struct node **)arg = list_pop(&b);
	return NULL;
}

static void *grow(void *arg)
{
	list_push(&b, 3);
	return arg;
}

static void drop(struct list *l)
{
	for (struct node *n = l->head, *next; n; n = next) {
		next = n->next;
		free(n);
	}
}

int main(void)
{
	struct node *removed = NULL;
	pthread_t t1, t2, t3;
	bool all = false;

	for (int i = 1; i <= 5; i++)
		list_push(&a, i);
	list_push(&b, 2);
	list_push(&b, 4);
	pthread_create(&t1, NULL, compare, &all);
	pthread_create(&t2, NULL, shrink, &removed);
	pthread_create(&t3, NULL, grow, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	pthread_join(t3, NULL);
	printf("%s, then %d\n", all ? "all" : "not all", b.count);
	free(removed);
	drop(&a);
	drop(&b);
	return 0;
}
