/*
 * A thread walks along a list hand over hand, but gives up the lock between two nodes. Another one
 * removes a node.
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int value;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;
static int sum;

static void *walk(void *arg)
{
	pthread_mutex_lock(&lock);
	for (struct node *n = head; n; n = n->next) {
		sum += n->value;
#ifndef FIXED
		pthread_mutex_unlock(&lock);
		pthread_mutex_lock(&lock);
#endif
	}
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *shorten(void *arg)
{
	struct node *n;

	pthread_mutex_lock(&lock);
	n = head->next;
	head->next = n->next;
	free(n);
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
	pthread_create(&a, NULL, walk, NULL);
	pthread_create(&b, NULL, shorten, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
