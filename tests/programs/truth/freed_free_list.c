/*
 * Nodes return to a locked free list and are handed out again, filled anew; their memory is never
 * freed in between.
 */
#include "truth.h"
struct node {
	struct node *next;
	int owner, n;
};
static struct node nodes[3];
static struct node *list;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct node *take(int owner)
{
	struct node *n;

	pthread_mutex_lock(&m);
	n = list;
	if (n)
		list = n->next;
	pthread_mutex_unlock(&m);
	if (n) {
		n->owner = owner;
		n->n = 0;
	}
	return n;
}
static void give(struct node *n)
{
	pthread_mutex_lock(&m);
	n->next = list;
	list = n;
	pthread_mutex_unlock(&m);
}
static void *user(void *arg)
{
	int me = *(int *)arg;

	for (int i = 0; i < 5; i++) {
		struct node *n = take(me);

		if (!n)
			continue;
		n->n++;
		assert(n->owner == me && n->n == 1);
		give(n);
	}
	return NULL;
}
int main(void)
{
	int ids[3] = {1, 2, 3};
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		give(&nodes[i]);
	for (int i = 0; i < 3; i++)
		assert(!pthread_create(&t[i], NULL, user, &ids[i]));
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
