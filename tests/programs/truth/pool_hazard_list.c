/*
 * A lock-free stack with hazard pointers recycles its nodes through a list of retired ones.
 */
#include "truth.h"
#include <stdatomic.h>
struct node {
	struct node *next;
	int value;
};
static _Atomic(struct node *) top, hazard[2];
static atomic_int popped;
static void push(struct node *n)
{
	struct node *t = atomic_load(&top);

	do
		n->next = t;
	while (!atomic_compare_exchange_weak(&top, &t, n));
}
static struct node *pop(int me)
{
	for (;;) {
		struct node *t = atomic_load(&top), *next;

		if (!t)
			return NULL;
		atomic_store(&hazard[me], t);
		if (atomic_load(&top) != t)
			continue;
		next = t->next;
		if (atomic_compare_exchange_strong(&top, &t, next)) {
			atomic_store(&hazard[me], NULL);
			return t;
		}
	}
}
static void *run(void *arg)
{
	int me = *(int *)arg;

	for (int i = 0; i < 3; i++) {
		struct node *n = pop(me);

		if (!n)
			continue;
		assert(n->value == 6);
		atomic_fetch_add(&popped, 1);
		while (atomic_load(&hazard[1 - me]) == n)
			sched_yield();
		free(n);
	}
	atomic_store(&hazard[me], NULL);
	return NULL;
}
int main(void)
{
	int ids[2] = {0, 1};
	pthread_t t[2];
	struct node *n;

	for (int i = 0; i < 4; i++) {
		n = malloc(sizeof(*n));
		n->value = 6;
		push(n);
	}
	for (int i = 0; i < 2; i++)
		assert(!pthread_create(&t[i], NULL, run, &ids[i]));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	while ((n = pop(0)))
		free(n);
	return 0;
}
