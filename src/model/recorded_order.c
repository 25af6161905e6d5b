/*
 * Finds the recorded order: one total order of the events of all threads. It obeys stamps exactly.
 * Accesses have no stamps, and lie between the stamps of their own thread where they explain the
 * values that reads returned (load_order_step.c).
 *
 * A heap orders the threads by their next stamp. The thread with the lowest one takes all items
 * ahead of it, then the event with that stamp. Items ahead of other threads may happen meanwhile. A
 * coarse stamp is an event without effect. It comes after the exact stamp with the same number, and
 * its clock orders several with the same number. A thread with many accesses and no stamp (spinning
 * on atomics) has a limited number of items ahead at a time, and lets others go first when it
 * cannot continue.
 *
 * Relies on the stamps of a thread ascending; a lower stamp (after a signal handler interrupted the
 * thread) counts as the highest so far. Cost: linear in the events, times the logarithm of the
 * number of threads for each stamp.
 */
#include "model/load_order_step.h"
#include <errno.h>
#include <inttypes.h>

#define AHEAD 512	    /* items of a thread that others see, if no stamp ends them before */
#define DEADLINE (1u << 20) /* items that are searched for the next stamp */

struct order_entry {
	struct fr_due due;
	uint32_t thread;
};

struct heap {
	struct order_entry *v;
	uint32_t n;
};

#define NEVER ((struct fr_due){UINT64_MAX, 0})
#define LAST ((struct fr_due){UINT64_MAX - 1, 0}) /* no stamp follows */

static inline bool earlier(struct fr_due a, struct fr_due b)
{
	return a.key != b.key ? a.key < b.key : a.clock < b.clock;
}

static inline bool less(const struct order_entry *a, const struct order_entry *b)
{
	return earlier(a->due, b->due) || (!earlier(b->due, a->due) && a->thread < b->thread);
}

static void sift_down(struct heap *h, uint32_t at)
{
	struct order_entry e = h->v[at];

	fr_assert(at < h->n);
	for (;;) {
		uint32_t child = 2 * at + 1;

		if (child >= h->n)
			break;
		if (child + 1 < h->n && less(&h->v[child + 1], &h->v[child]))
			child++;
		if (!less(&h->v[child], &e))
			break;
		h->v[at] = h->v[child];
		at = child;
	}
	h->v[at] = e;
}

static int look_ahead(struct fr_load *l, struct fr_lthread *t)
{
	uint64_t limit = t->head + AHEAD;

	fr_assert(t->head <= t->known && t->known <= t->tail);
	t->soft = false;
	t->stop = t->known;
	for (;; t->stop++) {
		const struct fr_item *i;

		while (t->stop >= fr_feed_ready(t)) {
			int r = fr_feed_more(l, t);

			if (r < 0)
				return r;
			if (!r) /* the end; the items ahead are still to be taken */
				return 0;
		}
		i = fr_item_at(t, t->stop);
		if (!fr_item_is_access(i) || l->exact)
			return 0;
		if (t->stop >= limit && !(i->flags & FR_F_PART)) {
			t->soft = true;
			return 0;
		}
		fr_node_add(l, t, t->stop);
		t->known = t->stop + 1;
	}
}

static struct fr_due stamp_due(const struct fr_lthread *t, const struct fr_item *i, uint64_t stamp)
{
	bool coarse = i->kind == FR_EV_STAMP;

	if (stamp > INT64_MAX / 2)
		stamp = INT64_MAX / 2;
	if (stamp < t->eff)
		stamp = t->eff;
	return (struct fr_due){stamp << 1 | coarse, coarse ? i->addr : 0};
}

/* The time at which the thread is due. */
static struct fr_due due_of(const struct fr_load *l, struct fr_lthread *t)
{
	const struct fr_item *i;

	if (t->soft)
		return (struct fr_due){t->eff << 1 | 1, t->eff_clock};
	if (t->stop >= t->tail)
		return LAST;
	i = fr_item_at(t, t->stop);
	return stamp_due(t, i, l->exact ? i->hook : i->value);
}

/* Finds the due time of the next stamp of a thread that has none among its items ahead. */
static int find_deadline(struct fr_load *l, struct fr_lthread *t)
{
	uint64_t at = t->known, end = t->known + DEADLINE;
	int r;

	fr_assert(t->soft);
	for (t->deadline = LAST; at < end; at++) {
		while (at >= fr_feed_ready(t)) {
			r = fr_feed_more(l, t);
			if (r <= 0)
				return r;
		}
		if (!fr_item_is_access(fr_item_at(t, at))) {
			t->deadline = stamp_due(t, fr_item_at(t, at), fr_item_at(t, at)->value);
			return 0;
		}
	}
	return 0;
}

int fr_order_fill(struct fr_load *l, struct fr_lthread *t)
{
	int r = look_ahead(l, t);

	if (r == 0 && t->soft && l->opaque && !t->deadline.key)
		r = find_deadline(l, t);
	t->end = t->soft ? t->deadline.key : due_of(l, t).key;
	return r;
}

/* A number that grows with every step of the recorded order. */
static uint64_t progress(const struct fr_load *l)
{
	return l->changes + l->b->ev.n;
}

/* When the first thread that may take a step is due, besides the one on top. A thread that could
   not continue helps nobody before another thread has taken a step. */
static struct fr_due next_able(const struct fr_load *l, const struct heap *h)
{
	struct fr_due due = NEVER;

	for (uint32_t i = 1; i < h->n; i++)
		if (earlier(h->v[i].due, due) && l->thread[h->v[i].thread].stuck != progress(l) + 1)
			due = h->v[i].due;
	return due;
}

/* Takes the items ahead of a thread with many and no stamp. Returns 1 when done, 0 for later, or
   -errno. */
static int run_soft(struct fr_load *l, const struct heap *h, struct fr_lthread *t,
		    struct fr_due *due)
{
	struct fr_due other;
	int r;

	if (t->head >= t->stop || fr_step_until(l, t, t->stop - 1, FR_ROUGHLY, 0))
		return 1;
	if (l->r < 0)
		return l->r;
	if (!t->deadline.key) {
		r = find_deadline(l, t);
		if (r < 0)
			return r;
	}
	t->stuck = progress(l) + 1;
	other = next_able(l, h);
	if (earlier(other, t->deadline) && earlier(other, LAST)) { /* another thread goes first */
		*due = (struct fr_due){other.key, other.clock + 1};
		return 0;
	}
	fr_step_until(l, t, t->head, FR_BY_FORCE, 0);
	return 1;
}

int fr_order_bound(struct fr_load *l)
{
	if (__builtin_expect(l->b->ev.n + l->loc.n <= l->max, 1))
		return 0;
	return fr_err_say(l->err, -EFBIG,
			  "'%s' is too long: it has more than %" PRIu64 " events and locations",
			  l->trace->file, l->max);
}

/* Takes reads of the values that memory holds, which never does harm. */
static void take_reads(struct fr_load *l, const struct heap *h)
{
	for (uint32_t i = 0; i < h->n && l->r >= 0; i++) {
		struct fr_lthread *u = &l->thread[h->v[i].thread];

		while (u->open && u->head < u->stop && l->r >= 0 && fr_step_reads(l, u) &&
		       fr_step_try(l, u, FR_GENTLY))
			;
	}
}

/* Tries another order: takes steps of random threads until this thread has no items ahead. It
   seldom takes a write that destroys a value which other threads have yet to read. load_best in
   load.c decides when to try. */
static void wander(struct fr_load *l, const struct heap *h, struct fr_lthread *t)
{
	unsigned idle = 0;

	fr_assert(h->n && !t->soft);
	while (take_reads(l, h), t->head < t->stop && l->r >= 0) {
		struct fr_lthread *u;
		bool went;

		l->seed = l->seed * UINT64_C(6364136223846793005) + 1442695040888963407;
		u = &l->thread[h->v[(l->seed >> 33) % h->n].thread];
		went = u->open && u->head < u->stop &&
		       fr_step_try(l, u, l->seed >> 61 ? FR_GENTLY : FR_ROUGHLY);
		idle = went ? 0 : idle + 1;
		if (idle > 16 * h->n + 64) {
			fr_step_until(l, t, t->head, FR_BY_FORCE, 0);
			idle = 0;
		}
	}
}

/* Takes all items ahead of the thread, then its event with a stamp. Returns 1 if the thread has
   more, 0 at its end, or -errno. */
static int run_thread(struct fr_load *l, const struct heap *h, struct fr_lthread *t,
		      struct fr_due *due)
{
	struct fr_due next = due_of(l, t);
	int r;

	fr_assert(t->open && !t->done && !t->busy && h->v[0].thread == t->index);
	if (!t->soft && earlier(*due, next)) { /* others took it to a stamp that is not due yet */
		*due = next;
		return 1;
	}
	if (t->soft) {
		r = run_soft(l, h, t, due);
		if (r <= 0)
			return r < 0 ? r : 1;
	} else {
		if (l->seed)
			wander(l, h, t);
		else if (t->head < t->stop)
			fr_step_until(l, t, t->stop - 1, FR_BY_FORCE, 0);
		if (t->stop < t->tail) {
			struct fr_item i = *fr_item_at(t, t->stop);

			fr_assert(t->head == t->stop || l->r < 0); /* nothing is ahead */
			t->eff = due->key >> 1;
			t->eff_clock = due->clock;
			t->begun = due->key;
			t->deadline.key = 0;
			if (fr_item_is_access(&i)) {
				fr_step_until(l, t, t->stop, FR_BY_FORCE, 0);
			} else {
				t->head = t->stop + 1;
				if (i.kind != FR_EV_STAMP)
					fr_sync_event(l, t, &i);
			}
			t->known = t->head;
		}
	}
	if (l->r < 0)
		return l->r;
	r = fr_order_bound(l);
	if (r < 0)
		return r;
	r = fr_order_fill(l, t);
	if (r < 0)
		return r;
	*due = due_of(l, t);
	return t->head < t->tail || !t->ended;
}

int fr_order_run(struct fr_load *l)
{
	struct heap h = {.v = fr_xmalloc(l->nthreads * sizeof(*h.v))};
	int r = 0;

	for (uint32_t i = 0; i < l->nthreads; i++)
		h.v[h.n++] = (struct order_entry){{l->thread[i].first_stamp << 1, 0}, i};
	for (uint32_t i = h.n / 2; i-- > 0;)
		sift_down(&h, i);
	while (h.n && r >= 0 && l->doubts < l->limit) {
		struct fr_lthread *t = &l->thread[h.v[0].thread];

		if (!t->open) {
			fr_feed_open(l, t);
			r = fr_order_fill(l, t);
			h.v[0].due = due_of(l, t);
			if (h.v[0].due.key < (t->first_stamp << 1))
				h.v[0].due = (struct fr_due){t->first_stamp << 1, 0};
			if (r == 0 && t->head == t->tail && t->ended) {
				fr_feed_close(t);
				t->done = true;
				h.v[0] = h.v[--h.n];
			}
		} else {
			r = run_thread(l, &h, t, &h.v[0].due);
			if (r == 0) {
				fr_assert(!t->nodes);
				fr_feed_close(t);
				t->done = true;
				h.v[0] = h.v[--h.n];
			}
		}
		if (h.n)
			sift_down(&h, 0);
	}
	free(h.v);
	return r < 0 ? r : 0;
}
