/*
 * A list and its length belong together. Between the two, a thread walks the list, which has one
 * node more or less than in the recorded run.
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;
int length, sum;

static void walk(void)
{
	int s = 0;

	pthread_mutex_lock(&lock);
	for (const struct node *n = head; n; n = n->next)
		s += n->value;
	sum = s;
	pthread_mutex_unlock(&lock);
}

static void push(int value)
{
	struct node *n = malloc(sizeof(*n));
	int old;

	n->value = value;
	pthread_mutex_lock(&lock);
	old = length;
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	walk();
	pthread_mutex_lock(&lock);
#endif
	n->next = head;
	head = n;
	length = old + 1;
	pthread_mutex_unlock(&lock);
}

static void *first(void *p)
{
	push(3);
	return p;
}

static void *second(void *p)
{
	push(4);
	return p;
}

int main(void)
{
	pthread_t a, b;
	int n = 0;

	push(1);
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	walk();
	for (const struct node *x = head; x; x = x->next)
		n++;
	assert(n == length);
	return 0;
}
