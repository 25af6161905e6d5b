/*
 * Work units in a circular list, as AVPredictor's second subject. A worker takes the first one out, does a part of its work and puts it
 * back behind the last. Taking and putting have the lock; both together do not. Whoever passes over a unit that cannot go on moves
 * it from the first place to the last in one critical section; if he does so meanwhile, the units are out of turn.
 *
 * Between the worker's taking (writes head, count) and its putting (reads them) come the other's taking, which writes both, and its
 * putting, which writes count. Two interleavings on count, one on head; nothing comes between the other's.
 *
 * expect: atomicity-violation ring.count|r->count write@take read@end
 * between: write@take write@put
 * harm: assert circlist.c:@turn: Assertion `ring_in_turn(&ring)' failed
 * expect: atomicity-violation ring.head|r->head write@first read@end
 * between: write@first
 * harm: assert circlist.c:@turn: Assertion `ring_in_turn(&ring)' failed
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define ROOM 8
#define UNITS 4

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

/* The first unit gets one step of work, and goes to the end. */
static void work(struct ring *r)
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

/* The first unit goes to the end without. */
static void pass_over(struct ring *r)
{
	pthread_mutex_lock(&r->lock);
	ring_put(r, ring_take(r));
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
	work(&ring);
	return arg;
}

static void *scheduler(void *arg)
{
	usleep(80000);
	pass_over(&ring);
	return arg;
}

int main(void)
{
	pthread_t t1, t2;
	int left = 0;

	for (int i = 0; i < UNITS; i++) {
		units[i] = (struct unit){i, 3};
		ring_put(&ring, &units[i]);
	}
	pthread_create(&t1, NULL, worker, NULL);
	pthread_create(&t2, NULL, scheduler, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	assert(ring.count == UNITS);
	assert(ring_in_turn(&ring)); /* @turn */
	for (int i = 0; i < UNITS; i++)
		left += units[i].left;
	printf("%d units in turn, %d steps left\n", UNITS, left);
	return 0;
}
