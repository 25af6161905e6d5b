/*
 * Work units in a circular list, as AVPredictor's second subject. A worker takes the first one out,
 * does a part of its work and puts it back behind the last. Taking and putting have the lock; both
 * together do not, and so the units do not stay in turn.
 *
 * Two workers, one unit each. Between a worker's taking (writes head, count) and its putting (reads
 * them) come: the other's taking, which writes both, and its putting, which writes count. Two
 * interleavings on count, one on head, the same with the workers changed over. Only if the other
 * puts back first are the units out of turn.
 *
 * expect: atomicity-violation ring.count|r->count write@take read@end
 * between: write@take write@put
 * harm: assert circlist.c:@turn: Assertion `ring_in_turn(&ring)' failed
 * expect: atomicity-violation ring.head|r->head write@first read@end
 * between: write@first
 * harm: any
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define ROOM 8
#define UNITS 4
#define WORKERS 2

struct unit {
	int id;
	int left; /* steps of work */
};

struct ring {
	pthread_mutex_t lock;
	struct unit *unit[ROOM];
	unsigned head;
	unsigned count;
};

static struct ring ring = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct unit units[UNITS];

static struct unit *ring_take(struct ring *r)
{
	struct unit *u = r->unit[r->head];

	r->head = (r->head + 1) % ROOM; /* @first */
	r->count--; /* @take */
	return u;
}

static void ring_put(struct ring *r, struct unit *u)
{
	unsigned n = r->count, end = (r->head + n) % ROOM; /* @end */

	r->unit[end] = u;
	r->count = n + 1; /* @put */
}

/* A unit gets one step of work, and goes to the end. */
static void turn(struct ring *r)
{
	struct unit *u;

	pthread_mutex_lock(&r->lock);
	u = ring_take(r);
#ifndef FIXED
	pthread_mutex_unlock(&r->lock);
#endif
	u->left--;
#ifndef FIXED
	pthread_mutex_lock(&r->lock);
#endif
	ring_put(r, u);
	pthread_mutex_unlock(&r->lock);
}

static int ring_in_turn(const struct ring *r)
{
	for (unsigned i = 1; i < r->count; i++) {
		const struct unit *before = r->unit[(r->head + i - 1) % ROOM];
		const struct unit *u = r->unit[(r->head + i) % ROOM];

		if (u->id != (before->id + 1) % UNITS)
			return 0;
	}
	return 1;
}

static void *worker(void *arg)
{
	turn(&ring);
	return arg;
}

int main(void)
{
	pthread_t t[WORKERS];
	int left = 0;

	for (int i = 0; i < UNITS; i++) {
		units[i] = (struct unit){i, 3};
		ring_put(&ring, &units[i]);
	}
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], NULL);
	assert(ring.count == UNITS);
	assert(ring_in_turn(&ring)); /* @turn */
	for (int i = 0; i < UNITS; i++)
		left += units[i].left;
	printf("%d units in turn, %d steps left\n", UNITS, left);
	return 0;
}
