/*
 * The hybrid tier: finds the events that a candidate needs if data is ignored, and orders them.
 *
 * The set of events begins as in the sync tier: everything before a cut, the past of each target,
 * and the events of the edges. It is closed under program order, creation, joining, barriers, once,
 * and the signal or post that served each wait in the recorded run. Reads need nothing, but the
 * read of a target may have to see a certain write: other writes of its bytes then come before that
 * one, or stay out.
 *
 * A lock that a pending thread holds at its target must be free when that thread takes it: the
 * other threads' sections of that lock are completed and come first. Any other section that has
 * begun is completed if a later section of its lock is in the set. If that leads nowhere, it is
 * completed only where two sections would be open, or else always (enum thread_ends).
 *
 * The first attempt includes everything that the run did before the candidate's last event, as
 * PECAN does, because threads may depend on earlier actions of other threads that no lock orders.
 * With `lean` there is no such attempt. Then events are moved (move.h).
 *
 * Paper:       PECAN 4.2, 6.1. Algorithm 1 is printed there with the test for common locks
 *              inverted, and the text has it right. The refuter, which is asked first, performs
 *              that test.
 * Cut:         the last event, before all that may have to move, at which no lock is held and no
 *              thread waits. With nothing but locks and creation order, an earlier cut is never
 *              better. If that cut is far away, the cut is where the outermost lock of a target's
 *              thread was taken (Algorithm 3 moves events from there on).
 * Cost:        proportional to the events between the cut and the targets.
 * Not handled: signals other than those that served in the recorded run; posts other than those,
 *              except for a wait whose post comes after the target of its thread. Operations on a
 *              semaphore with failed attempts keep their order.
 */
#include "oracle/hybrid.h"
#include "base/assert.h"
#include "causality/prefix.h"
#include "oracle/move.h"

#define EVENTS_MAX 65536 /* in the set, after the cut */
#define BACK_MAX 16384	 /* greatest distance of the cut from the first target */
#define HELD 64

/* When to complete a section that a non-pending thread has begun. It is always completed where a
   pending thread holds its lock, or where another section of its lock stays open. */
enum thread_ends {
	BEFORE_LATER, /* if another section of its lock begins later in the run */
	WHERE_NEEDED,
	ALWAYS, /* if the set has another section of its lock */
};

/* The sections of one lock that are in the set. Events are stored + 1; 0 = none. */
struct hlock {
	uint32_t epoch;
	fr_ev last, last_alone; /* last acquisition: of any kind, exclusive */
	/* last acquisition without a release in the set: any, exclusive */
	fr_ev open, open_alone;
	uint32_t sections, alone;  /* number of sections, and of exclusive ones */
	bool pinned, pinned_alone; /* a pending thread holds it: in any mode, exclusively */
};

/* A free in the set. */
struct hfree {
	fr_ev ev;
	uint32_t thread; /* the last thread whose accesses were seen, + 1 */
};

struct fr_hybrid {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_prefix f;
	struct fr_mover *mover;
	struct fr_prefix_mark *sem;
	struct hlock *lock;
	uint32_t epoch; /* of `lock`: older entries are void */
	FR_VEC(fr_ev) acquire, failed, wait;
	FR_VEC(fr_ev) hidden; /* writes in the set that come before what a read must see */
	FR_VEC(struct hfree) freed;
	const struct fr_candidate *what;
	FR_VEC(uint32_t) sem_failed, touched;
	/* need_last: last release of each thread, + 1; need_all: first write that must stay out, +
	   1; all 0 between calls */
	fr_ev *last;
};

struct fr_hybrid *fr_hybrid_new(const struct fr_model *m, const struct fr_causality *c)
{
	struct fr_hybrid *h = fr_xcalloc(1, sizeof(*h));

	h->m = m;
	h->c = c;
	fr_prefix_init(&h->f, m);
	h->mover = fr_mover_new(m, c);
	h->sem = fr_xcalloc(m->cls[FR_C_SEM].n, sizeof(*h->sem));
	h->lock = fr_xcalloc(m->cls[FR_C_LOCK].n, sizeof(*h->lock));
	h->last = fr_xcalloc(m->nthreads, sizeof(*h->last));
	return h;
}

void fr_hybrid_free(struct fr_hybrid *h)
{
	if (!h)
		return;
	fr_prefix_free(&h->f);
	fr_mover_free(h->mover);
	free(h->sem);
	free(h->lock);
	free(h->last);
	fr_vec_free(&h->touched);
	fr_vec_free(&h->hidden);
	fr_vec_free(&h->freed);
	fr_vec_free(&h->acquire);
	fr_vec_free(&h->failed);
	fr_vec_free(&h->wait);
	fr_vec_free(&h->sem_failed);
	free(h);
}

/* ---- the set ---- */

/* Must the write stay out, because it would hide the write that the read must see? */
static bool must_stay_out(const struct fr_hybrid *h, fr_ev e)
{
	return fr_sees_other(h->m, h->what, e) &&
	       (fr_sees_hidden(h->c, h->m, h->what, e) || h->what->sees.write < h->f.floor);
}

/* Does the post come after the target of its thread? Then the wait takes another unit: see
   counts_hold. */
static bool comes_later(const struct fr_hybrid *h, fr_ev post)
{
	const struct fr_prefix_thread *t =
	    post == FR_NO_EV ? NULL : &h->f.thread[h->m->ev[post].thread];

	return t && t->epoch == h->f.epoch && post >= t->limit;
}

/* Adds the events that e needs, other than its predecessors in its thread. */
static void close_event(struct fr_hybrid *h, fr_ev e)
{
	const struct fr_mev *v = &h->m->ev[e];

	fr_assert(e >= h->f.floor);
	if (fr_is_access(v))
		fr_prefix_need_some(&h->f, fr_model_alloc(h->m, e));
	switch (v->op) {
	case FR_OP_READ:
		break;
	case FR_OP_WRITE:
		if (must_stay_out(h, e))
			h->f.failed = true;
		else if (fr_sees_other(h->m, h->what, e))
			fr_vec_push(&h->hidden, e);
		break;
	case FR_OP_ACQUIRE:
	case FR_OP_ACQUIRE_SHARED:
		fr_vec_push(&h->acquire, e);
		break;
	case FR_OP_ACQUIRE_FAILED:
	case FR_OP_ACQUIRE_SHARED_FAILED:
		fr_vec_push(&h->failed, e);
		fr_prefix_need_some(&h->f, fr_prefix_blocker(&h->f, h->c, e));
		break;
	case FR_OP_WAIT:
		fr_vec_push(&h->wait, e);
		fr_prefix_need_some(&h->f, fr_signal_of(h->c, e));
		break;
	case FR_OP_SEM_WAIT:
		fr_vec_push(&h->wait, e);
		if (!comes_later(h, fr_post_of(h->c, e)))
			fr_prefix_need_some(&h->f, fr_post_of(h->c, e));
		break;
	case FR_OP_FREE:
		fr_vec_push(&h->freed, ((struct hfree){.ev = e}));
		break;
	case FR_OP_SEM_FAILED:
		if (h->sem[v->obj].epoch != h->f.epoch) /* the first one of this semaphore */
			fr_vec_push(&h->sem_failed, v->obj);
		fr_prefix_list(&h->f, e, &h->sem[v->obj], FR_OP_SEM_WAIT);
		break;
	default:
		fr_prefix_order(&h->f, e);
		break;
	}
}

/* Closes the set. False: that is impossible, or the set is too large (*ret_long). */
static bool close_set(struct fr_hybrid *h, bool *ret_long)
{
	fr_ev e;

	while ((e = fr_prefix_next(&h->f)) != FR_NO_EV) {
		if (h->f.events > EVENTS_MAX) {
			*ret_long = true;
			return false;
		}
		close_event(h, e);
	}
	return !h->f.failed;
}

static bool is_shared(const struct fr_hybrid *h, fr_ev acquire)
{
	return h->m->ev[acquire].op == FR_OP_ACQUIRE_SHARED;
}

static fr_ev release_in_set(const struct fr_hybrid *h, fr_ev acquire)
{
	fr_ev release = fr_release_of(h->c, acquire);

	return release != FR_NO_EV && fr_prefix_has(&h->f, release) ? release : FR_NO_EV;
}

static bool is_pinned(const struct fr_hybrid *h, fr_ev e)
{
	const struct fr_prefix_thread *t = &h->f.thread[h->m->ev[e].thread];

	return t->epoch == h->f.epoch && t->limit != FR_NO_EV;
}

static void count_section(struct fr_hybrid *h, fr_ev acquire)
{
	struct hlock *l = &h->lock[h->m->ev[acquire].obj];
	bool alone = !is_shared(h, acquire);

	if (l->epoch != h->epoch)
		*l = (struct hlock){.epoch = h->epoch};
	l->sections++;
	l->alone += alone;
	l->last = fr_max(l->last, acquire + 1);
	if (alone)
		l->last_alone = fr_max(l->last_alone, acquire + 1);
	if (release_in_set(h, acquire) != FR_NO_EV)
		return;
	if (is_pinned(h, acquire)) {
		l->pinned = true;
		l->pinned_alone |= alone;
		return;
	}
	l->open = fr_max(l->open, acquire + 1);
	if (alone)
		l->open_alone = fr_max(l->open_alone, acquire + 1);
	fr_assert_slow(l->open_alone <= l->open && l->open <= l->last && l->alone <= l->sections);
}

/* Must this open section be completed? */
static bool must_end(const struct fr_hybrid *h, fr_ev acquire)
{
	const struct hlock *l = &h->lock[h->m->ev[acquire].obj];

	fr_assert_slow(l->epoch == h->epoch); /* end_sections has counted it */
	if (is_shared(h, acquire))
		return l->pinned_alone || l->open_alone > acquire + 1;
	return l->pinned || l->open > acquire + 1;
}

/* Should this open section be completed if possible? */
static bool should_end(const struct fr_hybrid *h, fr_ev acquire, enum thread_ends ends)
{
	const struct hlock *l = &h->lock[h->m->ev[acquire].obj];
	bool shared = is_shared(h, acquire);

	if (ends == WHERE_NEEDED || fr_release_of(h->c, acquire) == FR_NO_EV)
		return false;
	if (ends == ALWAYS)
		return shared ? l->alone : l->sections > 1;
	return (shared ? l->last_alone : l->last) > acquire + 1;
}

/* Adds the releases of sections that must or should be completed. True: the set has grown. */
static bool end_sections(struct fr_hybrid *h, enum thread_ends ends)
{
	bool more = false;

	h->epoch++;
	fr_assert(h->epoch);
	FR_VEC_FOREACH (a, &h->acquire)
		count_section(h, *a);
	FR_VEC_FOREACH (a, &h->acquire) {
		fr_ev release;

		if (is_pinned(h, *a) || release_in_set(h, *a) != FR_NO_EV ||
		    !(must_end(h, *a) || should_end(h, *a, ends)))
			continue;
		release = fr_release_of(h->c, *a);
		fr_assert(release == FR_NO_EV || h->m->ev[release].obj == h->m->ev[*a].obj);
		if (release == FR_NO_EV)
			h->f.failed = true;
		else
			fr_prefix_need(&h->f, release);
		more = true;
	}
	return more && !h->f.failed;
}

/* Notes the acquisitions of all locks that are held at the cut. */
static void held_at_cut(struct fr_hybrid *h)
{
	struct fr_held held[HELD];

	for (uint32_t t = 0; t < h->m->nthreads; t++) {
		const struct fr_mthread *th = &h->m->thread[t];
		uint32_t n =
		    fr_locks_held_at(h->c, t, fr_list_lower(th->ev, th->n, h->f.floor), held, HELD);

		if (n > HELD)
			h->f.failed = true; /* never observed */
		for (uint32_t i = 0; i < fr_min(n, (uint32_t)HELD); i++) {
			fr_assert(held[i].acquire < h->f.floor);
			fr_vec_push(&h->acquire, held[i].acquire);
		}
	}
}

/* ---- constraints on the order ---- */

static void need_waits(struct fr_hybrid *h)
{
	FR_VEC_FOREACH (w, &h->wait) {
		fr_ev by, begin = *w;

		if (h->m->ev[*w].op == FR_OP_SEM_WAIT) {
			by = fr_post_of(h->c, *w);
			if (by != FR_NO_EV && !comes_later(h, by))
				fr_mover_need(h->mover, *w, by);
			continue;
		}
		by = fr_signal_of(h->c, *w);
		if (by == FR_NO_EV)
			continue;
		fr_mover_need(h->mover, *w, by);
		while (begin != FR_NO_EV && (h->m->ev[begin].op != FR_OP_WAIT_BEGIN ||
					     h->m->ev[begin].obj != h->m->ev[*w].obj))
			begin = fr_model_prev(h->m, begin);
		if (begin != FR_NO_EV)
			fr_mover_need(h->mover, by, begin);
	}
}

static void need_failed(struct fr_hybrid *h)
{
	FR_VEC_FOREACH (e, &h->failed) {
		fr_ev a = fr_prefix_blocker(&h->f, h->c, *e), release;

		if (a == FR_NO_EV)
			continue;
		fr_mover_need(h->mover, *e, a);
		release = release_in_set(h, a);
		if (release != FR_NO_EV)
			fr_mover_need(h->mover, release, *e);
	}
	FR_VEC_FOREACH (o, &h->sem_failed) {
		const struct fr_mclass *k = &h->m->cls[FR_C_SEM];
		uint32_t first = k->first[*o], end = k->first[*o + 1];
		fr_ev before = FR_NO_EV;

		for (uint32_t i = first + fr_list_lower(k->list + first, end - first, h->f.floor);
		     i < end; i++) {
			if (!fr_prefix_has(&h->f, k->list[i]))
				continue;
			if (before != FR_NO_EV)
				fr_mover_need(h->mover, k->list[i], before);
			before = k->list[i];
		}
	}
}

/* An open section comes after all other sections of its lock: after the last one of each thread. */
static void need_last(struct fr_hybrid *h, fr_ev open)
{
	const struct fr_mev *v = &h->m->ev[open];

	fr_assert_slow(release_in_set(h, open) == FR_NO_EV);
	h->touched.n = 0;
	FR_VEC_FOREACH (a, &h->acquire) {
		uint32_t t = h->m->ev[*a].thread;
		fr_ev release;

		if (h->m->ev[*a].obj != v->obj || t == v->thread ||
		    (is_shared(h, open) && is_shared(h, *a)))
			continue;
		release = release_in_set(h, *a);
		if (release == FR_NO_EV)
			continue;
		if (!h->last[t])
			fr_vec_push(&h->touched, t);
		h->last[t] = fr_max(h->last[t], release + 1);
	}
	FR_VEC_FOREACH (t, &h->touched) {
		fr_assert_slow(h->last[*t]);
		fr_mover_need(h->mover, open, h->last[*t] - 1);
		h->last[*t] = 0;
	}
}

/* A free comes after the accesses to the object that are in the set: after the last one of each
   thread. */
static void need_uses(struct fr_hybrid *h)
{
	struct fr_map index = {0}; /* HEAP object -> index into `freed` + 1 */

	for (size_t i = 0; i < h->freed.n; i++)
		*fr_map_put(&index, h->m->ev[h->freed.v[i].ev].obj) = i + 1;
	for (size_t k = 0; h->freed.n && k < h->f.touched.n; k++) {
		uint32_t t = h->f.touched.v[k];
		const struct fr_prefix_thread *x = &h->f.thread[t];

		for (uint32_t i = x->end; i-- > x->from;) {
			fr_ev e = h->m->thread[t].ev[i];
			const struct fr_mev *v = &h->m->ev[e];
			uint32_t obj = fr_is_access(v) ? h->m->cls[FR_C_LOC].obj[v->obj].aux : 0;
			const uint64_t *at = obj ? fr_map_get(&index, obj - 1) : NULL;
			struct hfree *f = at ? &h->freed.v[*at - 1] : NULL;

			if (!f || f->thread == t + 1 || f->ev < e)
				continue;
			f->thread = t + 1;
			fr_mover_need(h->mover, f->ev, e);
		}
	}
	fr_map_free(&index);
}

/* Can an event that must stay apart not come before the first event? */
static bool must_be_out(const struct fr_hybrid *h, fr_ev e)
{
	fr_ev first = h->what->first;

	return first == FR_NO_EV || fr_mhb(h->c, first, e) || (first < h->f.floor && first < e);
}

/* Those that must stay apart and are in the set come before the first event. Returns false if that
   is impossible. */
static bool need_apart(struct fr_hybrid *h, const struct fr_candidate *what)
{
	for (uint32_t i = 0; i < what->napart; i++) {
		fr_ev e = what->apart[i];

		if (!fr_prefix_has(&h->f, e))
			continue;
		if (must_be_out(h, e))
			return false;
		if (what->first >= h->f.floor && e >= h->f.floor)
			fr_mover_need(h->mover, what->first, e);
	}
	return true;
}

static void set_needs(struct fr_hybrid *h, const struct fr_candidate *what)
{
	fr_mover_begin(h->mover, &h->f);
	for (uint32_t i = 0; i < what->nedges; i++)
		if (!fr_is_pending(what, fr_head(h->m, what->edge[i].after)))
			fr_mover_need(h->mover, what->edge[i].after, what->edge[i].before);
	FR_VEC_FOREACH (x, &h->hidden)
		fr_mover_need(h->mover, what->sees.write, *x);
	need_uses(h);
	need_waits(h);
	need_failed(h);
	FR_VEC_FOREACH (a, &h->acquire) {
		fr_ev release = release_in_set(h, *a);

		fr_mover_section(h->mover, *a, release);
		if (release == FR_NO_EV && *a >= h->f.floor)
			need_last(h, *a);
	}
}

/* ---- asking ---- */

/* Moves the cut past the first steps that keep the recorded order. */
static void shorten(const struct fr_model *m, struct fr_schedule *s)
{
	size_t n = 0;

	while (n < s->step.n && s->step.v[n] == s->cut) {
		n++;
		do
			s->cut++;
		while (s->cut < m->n && m->ev[s->cut].flags & FR_F_PART);
	}
	for (size_t i = n; n && i < s->step.n; i++)
		s->step.v[i - n] = s->step.v[i];
	s->step.n -= n;
	fr_assert(s->cut <= m->n && (s->cut == m->n || !(m->ev[s->cut].flags & FR_F_PART)));
}

/* Must a target happen before e? In each thread, false for the first events, then true. */
static bool after_target(const struct fr_hybrid *h, const struct fr_candidate *what, fr_ev e)
{
	for (uint32_t i = 0; i < what->npending; i++)
		if (fr_mhb(h->c, what->pending[i], e))
			return true;
	return false;
}

/* Finds the first event of each thread that must stay out; of writes, up to `last`. */
static void find_hiding(struct fr_hybrid *h, fr_ev last)
{
	fr_ev e = fr_sees_from(h->c, h->m, h->what, h->f.floor);

	h->touched.n = 0;
	for (; e != FR_NO_EV && e <= last; e = fr_sees_from(h->c, h->m, h->what, e + 1)) {
		uint32_t t = h->m->ev[e].thread;

		if (h->last[t] || !must_stay_out(h, e))
			continue;
		h->last[t] = fr_head(h->m, e) + 1;
		fr_vec_push(&h->touched, t);
	}
	for (uint32_t i = 0; i < h->what->napart; i++) {
		uint32_t t = h->m->ev[h->what->apart[i]].thread;

		if (h->what->apart[i] < h->f.floor || !must_be_out(h, h->what->apart[i]))
			continue;
		if (!h->last[t])
			fr_vec_push(&h->touched, t);
		if (!h->last[t] || h->last[t] > h->what->apart[i] + 1)
			h->last[t] = h->what->apart[i] + 1;
	}
}

/* Adds everything before the candidate's last event that need not come after a target. */
static void need_all(struct fr_hybrid *h, const struct fr_candidate *what)
{
	fr_ev last = 0;

	for (uint32_t i = 0; i < what->npending; i++)
		last = fr_max(last, what->pending[i]);
	for (uint32_t i = 0; i < what->nedges; i++) {
		last = fr_max(last, what->edge[i].before);
		last = fr_max(last, what->edge[i].after);
	}
	if (what->sees.on && what->sees.write != FR_NO_EV)
		last = fr_max(last, what->sees.write);
	fr_assert(last < h->m->n);
	find_hiding(h, last);
	for (uint32_t t = 0; t < h->m->nthreads; t++) {
		const struct fr_mthread *th = &h->m->thread[t];
		uint32_t lo = fr_list_lower(th->ev, th->n, h->f.floor),
			 hi = fr_list_lower(th->ev, th->n, last), first = lo;
		bool pending = false;

		if (h->last[t])
			hi = fr_min(hi, fr_list_lower(th->ev, th->n, h->last[t] - 1));
		hi = fr_max(hi, lo);
		for (uint32_t i = 0; i < what->npending; i++)
			pending |= h->m->ev[what->pending[i]].thread == t;
		while (lo < hi && !pending) {
			uint32_t mid = lo + (hi - lo) / 2;

			if (after_target(h, what, th->ev[mid]))
				hi = mid;
			else
				lo = mid + 1;
		}
		if (lo > first && !pending)
			fr_prefix_need(&h->f, th->ev[lo - 1]);
	}
	FR_VEC_FOREACH (t, &h->touched)
		h->last[*t] = 0;
}

/* Is there a unit for each wait of the semaphore, in this order? */
static bool counts_hold(const struct fr_hybrid *h, const struct fr_schedule *s, uint32_t sem)
{
	const struct fr_mclass *k = &h->m->cls[FR_C_SEM];
	int64_t n = k->obj[sem].count;

	for (uint32_t i = k->first[sem]; i < k->first[sem + 1] && k->list[i] < s->cut; i++)
		n += (h->m->ev[k->list[i]].op == FR_OP_SEM_POST) -
		     (h->m->ev[k->list[i]].op == FR_OP_SEM_WAIT);
	fr_assert(n >= 0); /* in the recorded order */
	FR_VEC_FOREACH (e, &s->step) {
		const struct fr_mev *v = &h->m->ev[*e];

		if (fr_op_class[v->op] != FR_C_SEM || v->obj != sem)
			continue;
		n += (v->op == FR_OP_SEM_POST) - (v->op == FR_OP_SEM_WAIT);
		if (n < 0)
			return false;
	}
	return true;
}

/* Is there a unit for each wait that cannot take the one that it took in the run? */
static bool waits_hold(const struct fr_hybrid *h, const struct fr_schedule *s)
{
	FR_VEC_FOREACH (w, &h->wait)
		if (h->m->ev[*w].op == FR_OP_SEM_WAIT && comes_later(h, fr_post_of(h->c, *w)) &&
		    !counts_hold(h, s, h->m->ev[*w].obj))
			return false;
	return true;
}

/* Has `last` been left as it must be between calls? */
static bool last_is_clear(const struct fr_hybrid *h)
{
	for (uint32_t t = 0; t < h->m->nthreads; t++)
		if (h->last[t])
			return false;
	return true;
}

static enum fr_hybrid_answer ask_at(struct fr_hybrid *h, const struct fr_candidate *what, fr_ev cut,
				    enum thread_ends ends, bool lean, struct fr_schedule *ret,
				    uint32_t *events)
{
	enum fr_moved r;
	bool too_long = false;

	for (uint32_t i = 0; i < what->npending; i++)
		fr_assert(cut <= what->pending[i]);
	fr_prefix_begin(&h->f, cut);
	h->f.events = 0;
	h->what = what;
	h->hidden.n = h->freed.n = h->acquire.n = h->failed.n = h->wait.n = h->sem_failed.n = 0;
	if (cut != fr_cut_before(h->c, cut, 0))
		held_at_cut(h);
	fr_prefix_candidate(&h->f, what);
	if (!lean)
		need_all(h, what);
	while (close_set(h, &too_long) && end_sections(h, ends))
		;
	*events += h->f.events;
	if (too_long)
		return FR_HYBRID_LONG;
	if (h->f.failed)
		return FR_HYBRID_NO;
	for (uint32_t i = 0; i < what->npending; i++)
		fr_assert(!fr_prefix_has(&h->f, what->pending[i]));
	set_needs(h, what);
	if (!need_apart(h, what))
		return FR_HYBRID_NO;
	ret->cut = cut;
	fr_assert(last_is_clear(h));
	r = fr_mover_go(h->mover, true, ret, events);
	if (r != FR_MOVED)
		r = fr_mover_go(h->mover, false, ret, events);
	if (r == FR_MOVED && !waits_hold(h, ret))
		r = FR_MOVE_STUCK;
	if (r == FR_MOVED)
		shorten(h->m, ret);
	return r == FR_MOVED ? FR_HYBRID_YES : r == FR_MOVE_STUCK ? FR_HYBRID_NO : FR_HYBRID_LONG;
}

/* Returns the first event that may have to move, or stay out. */
static fr_ev first_moved(const struct fr_hybrid *h, const struct fr_candidate *what)
{
	const struct fr_model *m = h->m;
	fr_ev first = m->n, hiding = fr_sees_first(h->c, m, what);

	for (uint32_t i = 0; i < what->npending; i++)
		first = fr_min(first, what->pending[i]);
	for (uint32_t i = 0; i < what->nedges; i++)
		if (what->edge[i].before > what->edge[i].after &&
		    !fr_is_pending(what, fr_head(m, what->edge[i].after)))
			first = fr_min(first, fr_head(m, what->edge[i].after));
	if (hiding != FR_NO_EV)
		first = fr_min(first, fr_head(m, hiding));
	if (what->napart)
		first = fr_min(first, what->apart[0]);
	if (what->napart && what->first < first)
		first = fr_head(m, what->first);
	/* Later writes can come before the one that the read sees only if that one can move. */
	if (what->sees.on && what->sees.write < first && first - what->sees.write <= BACK_MAX)
		first = fr_head(m, what->sees.write);
	return first;
}

static fr_ev choose_cut(const struct fr_hybrid *h, const struct fr_candidate *what)
{
	fr_ev first = first_moved(h, what), cut = fr_cut_before(h->c, first, 0);
	struct fr_held held[HELD];

	fr_assert(cut <= first);
	if (first - cut <= BACK_MAX)
		return cut;
	cut = first;
	for (uint32_t i = 0; i < what->npending; i++) {
		const struct fr_mthread *t = &h->m->thread[h->m->ev[what->pending[i]].thread];
		uint32_t at = fr_list_lower(t->ev, t->n, first);

		if (fr_locks_held_at(h->c, h->m->ev[what->pending[i]].thread, at, held, HELD))
			cut = fr_min(cut, held[0].acquire);
	}
	if (first - cut > BACK_MAX)
		cut = first - BACK_MAX;
	fr_assert(cut <= first);
	return cut < h->m->n ? fr_head(h->m, cut) : cut;
}

enum fr_hybrid_answer fr_hybrid_ask(struct fr_hybrid *h, const struct fr_candidate *what, bool lean,
				    struct fr_schedule *ret, uint32_t *ret_events)
{
	struct fr_schedule s = {0};
	fr_ev cut = choose_cut(h, what);
	enum fr_hybrid_answer a = FR_HYBRID_NO;

	*ret_events = 0;
	if (!lean)
		a = ask_at(h, what, cut, BEFORE_LATER, false, &s, ret_events);
	if (a != FR_HYBRID_YES)
		a = FR_HYBRID_NO;
	for (enum thread_ends ends = BEFORE_LATER; ends <= ALWAYS && a == FR_HYBRID_NO; ends++)
		a = ask_at(h, what, cut, ends, true, &s, ret_events);
	if (a == FR_HYBRID_YES)
		*ret = s;
	else
		fr_schedule_free(&s);
	return a;
}
