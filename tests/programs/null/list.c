/*
 * A thread takes the first node of a list; another empties the list.
 * The twin takes nothing from an empty list.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct node {
	struct node *next;
	int value;
};
struct node *head;

static int take(void)
{
	struct node *n;
	int v = 0;

	pthread_mutex_lock(&lock);
	n = head;
#ifdef FIXED
	if (n)
#endif
	{
		head = n->next; /* @use */
		v = n->value;
	}
	pthread_mutex_unlock(&lock);
	return v;
}

static void *first(void *arg)
{
	take();
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&lock);
	head = NULL;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	for (int i = 0; i < 3; i++) {
		struct node *n = malloc(sizeof(*n));

		n->value = i;
		n->next = head;
		head = n;
	}
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
