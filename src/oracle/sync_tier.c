/*
 * The sync tier: reorderings that keep the recorded order of the events that they contain.
 *
 * The set begins with everything before a cut (the recorded prefix is feasible as it is) and with
 * the events before the targets in their threads. It is closed under must-happen-before, program
 * order and creation included. A read that matters needs the writes that it saw, which must be
 * reliable. An access needs the allocation of its object. An acquisition needs the end of each
 * earlier section of its lock that is in the set. A wait needs the event that served it, and a
 * failed operation the event that made it fail. Since the set keeps the recorded order, no event
 * comes between a write and its read that was not there in the run. If no target enters the set,
 * the set in recorded order is the schedule. A write that a read must see is in the set, and no
 * later write to these bytes is. (Sync-preserving reorderings; as in PECAN 4, synchronised events
 * keep their order.)
 *
 * Invariant:   the set is a prefix of every thread (causality/prefix.h). A question examines each
 *              event once, so it costs as much as there are events between the cut and the targets.
 * Cuts:        the first cut is the earliest target, or the first write that must stay out. A later
 *              cut is never better than an earlier one. It is worse only if a section that was open
 *              at the cut had to be completed, and only then the tier tries an earlier cut. At a
 *              cut without held locks it is exact.
 * Not handled: any other order of two critical sections; another write of the same value.
 */
#include "oracle/sync_tier.h"
#include "base/assert.h"
#include "causality/prefix.h"
#include <string.h>

#define EVENTS_MAX 65536 /* in the set of one question */
#define BACK_MAX 4096	 /* greatest distance of the second cut from the first target */
#define WALK_MAX 256	 /* entries of a lock's list to walk, backwards from the cut */
#define HELD 64		 /* locks that a thread holds */
#define NEAR 1024	 /* for fr_writers_near: one for all locations with equal remainders */

struct slock {
	uint32_t epoch, pin_epoch;
	/* in pin_epoch: the acquisition of a pending thread that holds the lock */
	fr_ev pin;
	fr_ev exclusive; /* the last exclusive acquisition in the set, or FR_NO_EV */
	/* the first shared one after it, an index into the tier's `shared`; UINT32_MAX = none */
	uint32_t shared;
};

struct sshared {
	fr_ev acquire;
	uint32_t next;
};

struct fr_sync_tier {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_prefix f;
	const struct fr_mask *mask; /* of the question */
	const struct fr_candidate *what;
	fr_ev hides; /* the first write that must stay out, because a read must not see it */
	bool open_used;
	struct slock *lock;
	struct fr_prefix_mark *sem;
	FR_VEC(struct sshared) shared;
	uint32_t near[NEAR];
};

struct fr_sync_tier *fr_sync_new(const struct fr_model *m, const struct fr_causality *c)
{
	struct fr_sync_tier *s = fr_xcalloc(1, sizeof(*s));

	s->m = m;
	s->c = c;
	fr_prefix_init(&s->f, m);
	s->lock = fr_xcalloc(m->cls[FR_C_LOCK].n, sizeof(*s->lock));
	s->sem = fr_xcalloc(m->cls[FR_C_SEM].n, sizeof(*s->sem));
	return s;
}

void fr_sync_free(struct fr_sync_tier *s)
{
	if (!s)
		return;
	fr_prefix_free(&s->f);
	free(s->lock);
	free(s->sem);
	fr_vec_free(&s->shared);
	free(s);
}

/* The section that this acquisition began must be complete. */
static void require_release(struct fr_sync_tier *s, fr_ev acquire)
{
	fr_ev release = fr_release_of(s->c, acquire);

	fr_assert(s->m->ev[acquire].op == FR_OP_ACQUIRE ||
		  s->m->ev[acquire].op == FR_OP_ACQUIRE_SHARED);
	fr_assert(release > acquire);
	if (acquire < s->f.floor)
		s->open_used = true;
	if (release == FR_NO_EV)
		s->f.failed = true;
	else
		fr_prefix_need(&s->f, release);
}

static void push_shared(struct fr_sync_tier *s, struct slock *l, fr_ev acquire)
{
	fr_assert_slow(s->m->ev[acquire].op == FR_OP_ACQUIRE_SHARED);
	fr_vec_push(&s->shared, (struct sshared){acquire, l->shared});
	l->shared = (uint32_t)s->shared.n - 1;
}

/* Finds the lock's sections that are open at the cut by way of the threads, because the lock's list
   is too long. */
static void held_at_cut(struct fr_sync_tier *s, struct slock *l, uint32_t lock)
{
	struct fr_held held[HELD];

	for (uint32_t t = 0; t < s->m->nthreads; t++) {
		const struct fr_mthread *th = &s->m->thread[t];
		uint32_t n = fr_locks_held_at(s->c, t, fr_list_lower(th->ev, th->n, s->f.floor),
					      held, fr_array_size(held));

		if (n > fr_array_size(held))
			s->f.failed = true; /* never observed; the next tier may decide */
		for (uint32_t i = 0; i < fr_min(n, (uint32_t)fr_array_size(held)); i++) {
			fr_assert(held[i].acquire < s->f.floor);
			if (held[i].lock != lock)
				continue;
			if (held[i].shared)
				push_shared(s, l, held[i].acquire);
			else
				l->exclusive = held[i].acquire;
		}
	}
}

static struct slock *touch_lock(struct fr_sync_tier *s, uint32_t lock)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_LOCK];
	struct slock *l = &s->lock[lock];
	uint32_t first = k->first[lock], i, walked = 0;

	if (l->epoch == s->f.epoch)
		return l;
	l->epoch = s->f.epoch;
	l->exclusive = FR_NO_EV;
	l->shared = UINT32_MAX;
	i = first + fr_list_lower(k->list + first, k->first[lock + 1] - first, s->f.floor);
	while (i-- > first) {
		fr_ev e = k->list[i], release;

		if (s->m->ev[e].op == FR_OP_RELEASE)
			break;
		if (s->m->ev[e].op == FR_OP_ACQUIRE) {
			l->exclusive = e;
			break;
		}
		if (++walked > WALK_MAX) {
			l->shared = UINT32_MAX;
			held_at_cut(s, l, lock);
			break;
		}
		if (s->m->ev[e].op != FR_OP_ACQUIRE_SHARED)
			continue;
		release = fr_release_of(s->c, e);
		if (release >= s->f.floor)
			push_shared(s, l, e);
	}
	return l;
}

/* Notes the locks that the pending threads hold: no later section of these is possible. */
static void pin_locks(struct fr_sync_tier *s, const struct fr_candidate *what)
{
	struct fr_held held[HELD];

	for (uint32_t i = 0; i < what->npending; i++) {
		uint32_t n = fr_locks_held(s->c, what->pending[i], held, HELD);

		for (uint32_t k = 0; k < fr_min(n, (uint32_t)HELD); k++) {
			struct slock *l = &s->lock[held[k].lock];

			l->pin_epoch = s->f.epoch;
			l->pin = held[k].acquire;
		}
	}
}

/* Is the lock held, from an earlier acquisition on, by a pending thread that cannot release it? */
static bool is_pinned(const struct fr_sync_tier *s, fr_ev acquire)
{
	const struct fr_mev *v = &s->m->ev[acquire], *pin;
	const struct slock *l = &s->lock[v->obj];

	if (l->pin_epoch != s->f.epoch || l->pin >= acquire)
		return false;
	pin = &s->m->ev[l->pin];
	return pin->thread != v->thread && (pin->op == FR_OP_ACQUIRE || v->op == FR_OP_ACQUIRE);
}

/* Is the event in a section of a lock that is pinned? Found now, before everything between. */
static bool in_pinned(const struct fr_sync_tier *s, fr_ev e)
{
	struct fr_held held[HELD];
	uint32_t n = fr_min(fr_locks_held(s->c, e, held, HELD), (uint32_t)HELD);

	for (uint32_t i = 0; i < n; i++)
		if (is_pinned(s, held[i].acquire))
			return true;
	return false;
}

/* Must an event happen that is in a section of a pinned lock? */
static bool needs_pinned(const struct fr_sync_tier *s, const struct fr_candidate *what)
{
	for (uint32_t i = 0; i < what->nedges; i++)
		if (in_pinned(s, what->edge[i].before))
			return true;
	return what->sees.on && what->sees.write != FR_NO_EV && in_pinned(s, what->sees.write);
}

static void close_acquire(struct fr_sync_tier *s, fr_ev e)
{
	struct slock *l;
	bool later = false;
	uint32_t *p;

	if (is_pinned(s, e)) {
		s->f.failed = true;
		return;
	}
	l = touch_lock(s, s->m->ev[e].obj);
	if (l->exclusive != FR_NO_EV && l->exclusive > e) {
		require_release(s, e);
		return;
	}
	if (l->exclusive != FR_NO_EV)
		require_release(s, l->exclusive);
	if (s->m->ev[e].op == FR_OP_ACQUIRE_SHARED) {
		push_shared(s, l, e);
		return;
	}
	for (p = &l->shared; *p != UINT32_MAX;) {
		const struct sshared *x = &s->shared.v[*p];

		if (x->acquire > e) {
			later = true;
			p = &s->shared.v[*p].next;
		} else {
			*p = x->next;
			require_release(s, x->acquire);
		}
	}
	if (later)
		require_release(s, e);
	l->exclusive = e;
}

/* Adds the events that e needs, other than its predecessors in its thread. */
static void close_event(struct fr_sync_tier *s, fr_ev e)
{
	const struct fr_mev *v = &s->m->ev[e];
	fr_ev writer[8];
	uint32_t n;

	fr_assert_slow(e >= s->f.floor);
	if (fr_is_access(v))
		fr_prefix_need_some(&s->f, fr_model_alloc(s->m, e));
	switch (v->op) {
	case FR_OP_READ:
		if (!fr_mask_read(s->mask, e))
			break;
		n = fr_writers_near(s->c, e, s->f.floor, &s->near[v->obj % NEAR], writer);
		while (n--) {
			s->f.failed |= !fr_mask_write(s->mask, writer[n]);
			fr_prefix_need(&s->f, writer[n]);
		}
		break;
	case FR_OP_WRITE:
		/* In recorded order, a later write hides the one that the read must see. */
		s->f.failed |= fr_sees_other(s->m, s->what, e) &&
			       (s->what->sees.write == FR_NO_EV || s->what->sees.write < e);
		break;
	case FR_OP_ACQUIRE:
	case FR_OP_ACQUIRE_SHARED:
		close_acquire(s, e);
		break;
	case FR_OP_ACQUIRE_FAILED:
	case FR_OP_ACQUIRE_SHARED_FAILED:
		/* A thread held the lock when this attempt failed: that section must have begun. */
		fr_prefix_need_some(&s->f, fr_prefix_blocker(&s->f, s->c, e));
		break;
	case FR_OP_WAIT:
		fr_prefix_need_some(&s->f, fr_signal_of(s->c, e));
		break;
	case FR_OP_SEM_WAIT:
		fr_prefix_need_some(&s->f, fr_post_of(s->c, e));
		break;
	case FR_OP_SEM_FAILED:
		fr_prefix_list(&s->f, e, &s->sem[v->obj], FR_OP_SEM_WAIT);
		break;
	default:
		fr_prefix_order(&s->f, e);
		break;
	}
}

/* Do the edges agree with the recorded order, in which the set is taken? */
static bool edges_as_recorded(const struct fr_model *m, const struct fr_candidate *what)
{
	for (uint32_t i = 0; i < what->nedges; i++)
		if (what->edge[i].before >= what->edge[i].after &&
		    !fr_is_pending(what, fr_head(m, what->edge[i].after)))
			return false;
	return true;
}

/* In recorded order: are those that must stay apart out, or before the first event? */
static bool stay_apart(const struct fr_sync_tier *s, const struct fr_candidate *what)
{
	for (uint32_t i = 0; i < what->napart; i++)
		if (fr_prefix_has(&s->f, what->apart[i]) &&
		    (what->first == FR_NO_EV || what->apart[i] >= what->first))
			return false;
	return true;
}

static int by_recorded_order(const void *a, const void *b)
{
	fr_ev x = *(const fr_ev *)a, y = *(const fr_ev *)b;

	return (x > y) - (x < y);
}

static void write_schedule(const struct fr_sync_tier *s, struct fr_schedule *ret)
{
	*ret = (struct fr_schedule){.cut = s->f.floor};
	FR_VEC_FOREACH (t, &s->f.touched) {
		const struct fr_prefix_thread *x = &s->f.thread[*t];

		fr_assert(x->epoch == s->f.epoch && x->from <= x->end);

		for (uint32_t i = x->from; i < x->end; i++)
			if (!(s->m->ev[s->m->thread[*t].ev[i]].flags & FR_F_PART))
				fr_vec_push(&ret->step, s->m->thread[*t].ev[i]);
	}
	if (ret->step.n)
		qsort(ret->step.v, ret->step.n, sizeof(*ret->step.v), by_recorded_order);
	fr_assert(!ret->step.n || ret->step.v[0] >= ret->cut);
}

static enum fr_sync_answer ask_at(struct fr_sync_tier *s, const struct fr_candidate *what,
				  fr_ev cut, struct fr_schedule *ret)
{
	fr_ev e;

	fr_prefix_begin(&s->f, cut);
	s->open_used = false;
	s->shared.n = 0;
	pin_locks(s, what);
	if (needs_pinned(s, what))
		return FR_SYNC_NO;
	fr_prefix_candidate(&s->f, what);
	if (s->hides != FR_NO_EV)
		fr_prefix_limit(&s->f, s->hides);
	while ((e = fr_prefix_next(&s->f)) != FR_NO_EV) {
		if (s->f.size > EVENTS_MAX)
			return FR_SYNC_LONG;
		close_event(s, e);
	}
	if (s->f.failed || !edges_as_recorded(s->m, what) || !stay_apart(s, what))
		return FR_SYNC_NO;
	for (uint32_t i = 0; i < what->npending; i++)
		fr_assert(!fr_prefix_has(&s->f, what->pending[i]));
	fr_assert(s->hides == FR_NO_EV || !fr_prefix_has(&s->f, s->hides));
	write_schedule(s, ret);
	return FR_SYNC_YES;
}

enum fr_sync_answer fr_sync_ask(struct fr_sync_tier *s, const struct fr_mask *mask,
				const struct fr_candidate *what, struct fr_schedule *ret)
{
	fr_ev first = s->m->n, cut;
	enum fr_sync_answer r;

	for (uint32_t i = 0; i < what->npending; i++)
		first = fr_min(first, what->pending[i]);
	for (uint32_t i = 0; i < what->nedges && !what->npending; i++)
		first = fr_min(first, fr_head(s->m, what->edge[i].before));
	if (what->napart)
		first = fr_min(first, what->apart[0]);
	s->hides = fr_sees_first(s->c, s->m, what);
	if (s->hides != FR_NO_EV)
		first = fr_min(first, fr_head(s->m, s->hides));
	fr_assert(first == s->m->n || !(s->m->ev[first].flags & FR_F_PART));
	s->mask = mask;
	s->what = what;
	r = ask_at(s, what, first, ret);
	if (r == FR_SYNC_NO && s->open_used) {
		cut = fr_cut_before(s->c, first, 0);
		fr_assert(cut <= first);
		if (first - cut > BACK_MAX)
			cut = fr_head(s->m, first - BACK_MAX);
		if (cut < first)
			r = ask_at(s, what, cut, ret);
	}
	return r;
}
