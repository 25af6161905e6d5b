/*
 * Java's ArrayList, of version 1.4, behind Collections.synchronizedList(). Every method of a list
 * locks the list, but iterators do not. So a.addAll(b) holds the lock of a and asks b for its size,
 * which locks b. Then it takes that number of elements from an iterator of b, without the lock of
 * b. Meanwhile another thread can clear b and add an element.
 *
 * The iterator notes the number of changes and checks it before each element. It answers a change
 * between those checks with an exception. The write of clear() can come between the first two
 * checks, and after it the write of add(): two interleavings. The iterator does not notice a change
 * between the size and its own creation. Then b has fewer elements than its size said, and the
 * first one is null.
 *
 * expect: atomicity-violation b.changes read@iterator read@look
 * between: write@clear write@add
 * harm: exit exit status 3
 * expect: atomic-set-violation b.size+b.changes read@size read@iterator write@emptied write@clear
 * harm: crash arraylist.c:@copy
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 16

struct list {
	pthread_mutex_t lock;
	int size, changes;
	const char *element[ROOM];
};

struct iterator {
	struct list *list;
	int next, expected;
};

static void list_add(struct list *l, const char *s)
{
	pthread_mutex_lock(&l->lock);
	l->changes++; /* @add */
	l->element[l->size++] = s;
	pthread_mutex_unlock(&l->lock);
}

static void list_clear(struct list *l)
{
	pthread_mutex_lock(&l->lock);
	l->changes++; /* @clear */
	for (int i = 0; i < l->size; i++)
		l->element[i] = NULL;
	l->size = 0; /* @emptied */
	pthread_mutex_unlock(&l->lock);
}

static int list_size(struct list *l)
{
	int n;

#ifndef FIXED
	pthread_mutex_lock(&l->lock);
#endif
	n = l->size; /* @size */
#ifndef FIXED
	pthread_mutex_unlock(&l->lock);
#endif
	return n;
}

static struct iterator list_iterator(struct list *l)
{
	return (struct iterator){l, 0, l->changes}; /* @iterator */
}

__attribute__((noinline)) static const char *iterator_next(struct iterator *it)
{
	struct list *l = it->list;

	if (l->changes != it->expected) { /* @look */
		fprintf(stderr, "concurrent modification\n");
		exit(3);
	}
	return l->element[it->next++];
}

/* The number of characters added. */
static size_t list_add_all(struct list *to, struct list *from)
{
	struct iterator it;
	size_t total = 0;
	int n;

	pthread_mutex_lock(&to->lock);
#ifdef FIXED
	pthread_mutex_lock(&from->lock);
#endif
	n = list_size(from);
	it = list_iterator(from);
	for (int i = 0; i < n; i++) {
		const char *s = iterator_next(&it);

		total += strlen(s); /* @copy */
		to->element[to->size++] = s;
	}
	to->changes++;
#ifdef FIXED
	pthread_mutex_unlock(&from->lock);
#endif
	pthread_mutex_unlock(&to->lock);
	return total;
}

static struct list a = {.lock = PTHREAD_MUTEX_INITIALIZER}, b = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *collect(void *arg)
{
	*(size_t *)arg = list_add_all(&a, &b);
	return NULL;
}

static void *clear(void *arg)
{
	list_clear(&b);
	return arg;
}

static void *add(void *arg)
{
	list_add(&b, "plum");
	return arg;
}

int main(void)
{
	pthread_t t1, t2, t3;
	size_t total = 0;

	list_add(&a, "apple");
	list_add(&b, "pear");
	list_add(&b, "quince");
	pthread_create(&t1, NULL, collect, &total);
	pthread_create(&t2, NULL, clear, NULL);
	pthread_create(&t3, NULL, add, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	pthread_join(t3, NULL);
	printf("%d and %d, %zu characters\n", a.size, b.size, total);
	return 0;
}
