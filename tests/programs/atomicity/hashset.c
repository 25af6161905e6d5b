/*
 * A hash set behind a synchronised wrapper, as Java's. contains() and add() each lock it. Two
 * clerks take on an order only if it is not in the set of orders in work. A third clerk removes
 * finished orders. Both of the first two can see that an order is not in the set, and both add it.
 * Nothing races.
 *
 * contains() reads the slot, and add() reads it again. Between the two reads, the other clerk can
 * add the order, and then the third clerk can remove it: two interleavings, whichever clerk is the
 * first. The second one does no harm.
 *
 * expect: atomicity-violation busy.slot[] read@contains read@probe
 * between: write@add write@remove
 * harm: assert hashset.c:@mine: Assertion `added' failed
 * order: 0,1,3,2
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#define SLOTS 16

struct set {
	pthread_mutex_t lock;
	int slot[SLOTS]; /* keys; 0: free */
};

struct clerk {
	int order;
	bool mine;
};

static unsigned slot_of(int key)
{
	return (unsigned)key * 2654435761u >> 28;
}

#ifndef FIXED
static bool set_contains(struct set *s, int key)
{
	bool in = false;
	int k;

	pthread_mutex_lock(&s->lock);
	for (unsigned i = slot_of(key); (k = s->slot[i]) && !in; i = (i + 1) % SLOTS) /* @contains */
		in = k == key;
	pthread_mutex_unlock(&s->lock);
	return in;
}
#endif

/* False: it was in already. */
static bool set_add(struct set *s, int key)
{
	unsigned i = slot_of(key);
	int k;

	pthread_mutex_lock(&s->lock);
	while ((k = s->slot[i]) && k != key) /* @probe */
		i = (i + 1) % SLOTS;
	if (!k)
		s->slot[i] = key; /* @add */
	pthread_mutex_unlock(&s->lock);
	return !k;
}

static bool set_remove(struct set *s, int key)
{
	unsigned i = slot_of(key), j;
	int k;

	pthread_mutex_lock(&s->lock);
	while ((k = s->slot[i]) && k != key)
		i = (i + 1) % SLOTS;
	if (k) {
		s->slot[i] = 0; /* @remove */
		/* Those behind it may belong before the gap. */
		for (j = (i + 1) % SLOTS; (k = s->slot[j]); j = (j + 1) % SLOTS) {
			s->slot[j] = 0;
			for (i = slot_of(k); s->slot[i]; i = (i + 1) % SLOTS)
				;
			s->slot[i] = k;
		}
		k = key;
	}
	pthread_mutex_unlock(&s->lock);
	return k != 0;
}

static struct set busy = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *clerk(void *arg)
{
	struct clerk *c = arg;

#ifdef FIXED
	c->mine = set_add(&busy, c->order);
#else
	if (!set_contains(&busy, c->order)) {
		bool added = set_add(&busy, c->order);

		assert(added); /* @mine */
		c->mine = true;
	}
#endif
	return NULL;
}

static void *archivist(void *arg)
{
	struct clerk *c = arg;

	c->mine = set_remove(&busy, c->order);
	return NULL;
}

int main(void)
{
	struct clerk one = {4711, false}, two = {4711, false}, done = {4711, false};
	pthread_t t1, t2, t3;

	pthread_create(&t1, NULL, clerk, &one);
	pthread_create(&t2, NULL, clerk, &two);
	pthread_create(&t3, NULL, archivist, &done);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	pthread_join(t3, NULL);
	printf("%d%d%d\n", one.mine, two.mine, done.mine);
	return 0;
}
