/*
 * Two hazard pointers, a list of retired objects that is scanned, and a load that is repeated after
 * the publication.
 */
#include "truth.h"
#include <stdatomic.h>
struct node {
	int v, w;
};
static _Atomic(struct node *) head;
static _Atomic(struct node *) hazard[2];
static struct node *retired[8];
static int nretired;
static struct node *make(int v)
{
	struct node *n = malloc(sizeof(*n));

	n->v = v;
	n->w = v + 1;
	return n;
}
static void *reader(void *arg)
{
	int me = (int)(intptr_t)arg;

	for (int i = 0; i < 3; i++) {
		struct node *n;

		do {
			n = atomic_load(&head);
			atomic_store(&hazard[me], n);
		} while (atomic_load(&head) != n);
		assert(n->w == n->v + 1);
		atomic_store(&hazard[me], NULL);
	}
	return NULL;
}
static void scan(void)
{
	int k = 0;

	for (int i = 0; i < nretired; i++) {
		struct node *n = retired[i];

		if (atomic_load(&hazard[0]) == n || atomic_load(&hazard[1]) == n) {
			retired[k++] = n;
			continue;
		}
		n->v = n->w = -7;
		free(n);
	}
	nretired = k;
}
int main(void)
{
	pthread_t t[2];

	atomic_store(&head, make(0));
	for (intptr_t i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, reader, (void *)i);
	for (int i = 1; i < 5; i++) {
		retired[nretired++] = atomic_exchange(&head, make(i));
		scan();
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	scan();
	assert(nretired == 0);
	free(atomic_load(&head));
	return 0;
}
