/*
 * A sorted list with a lock in each node: threads take the next lock before they give back the last
 * one.
 * options: --order random:11
 */
#include "truth.h"
struct node {
	pthread_mutex_t lock;
	int key;
	struct node *next;
};
static struct node head = {PTHREAD_MUTEX_INITIALIZER, -1, NULL};
static void insert(int key)
{
	struct node *p = &head, *n;

	pthread_mutex_lock(&p->lock);
	while ((n = p->next)) {
		pthread_mutex_lock(&n->lock);
		if (n->key >= key) {
			pthread_mutex_unlock(&n->lock);
			break;
		}
		pthread_mutex_unlock(&p->lock);
		p = n;
	}
	n = malloc(sizeof(*n));
	pthread_mutex_init(&n->lock, NULL);
	n->key = key;
	n->next = p->next;
	p->next = n;
	pthread_mutex_unlock(&p->lock);
}
static int take(int key)
{
	struct node *p = &head, *n;

	pthread_mutex_lock(&p->lock);
	while ((n = p->next)) {
		pthread_mutex_lock(&n->lock);
		if (n->key == key) {
			p->next = n->next;
			pthread_mutex_unlock(&n->lock);
			pthread_mutex_unlock(&p->lock);
			pthread_mutex_destroy(&n->lock);
			free(n);
			return 1;
		}
		pthread_mutex_unlock(&p->lock);
		p = n;
	}
	pthread_mutex_unlock(&p->lock);
	return 0;
}
static void *odd(void *unused)
{
	(void)unused;
	for (int i = 1; i < 6; i += 2)
		insert(i);
	assert(take(3) == 1);
	return NULL;
}
static void *even(void *unused)
{
	(void)unused;
	for (int i = 4; i >= 0; i -= 2)
		insert(i);
	assert(take(2) == 1 && take(7) == 0);
	return NULL;
}
int main(void)
{
	int n = 0;

	both(odd, even, NULL);
	for (struct node *p = head.next; p; p = p->next)
		n = n * 10 + p->key;
	assert(n == 145);
	return 0;
}
