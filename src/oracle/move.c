/*
 * Moving events: see move.h. PECAN section 6.1.
 *
 * Meaning:   the set is walked as threads would run it, always the one whose next step is earliest
 *            in the recorded order and can happen. What is known beforehand to come after something
 *            else is a need; who holds a lock is found on the way.
 * Learning:  when all stand, they stand in a circle. Needs alone: no order. Where one waits for a
 *            lock, its holder, if it is to stand where it does, must not take it yet: the
 *            acquisition gets the holder's need (the rule of the outermost lock, as far as it is in
 *            the way), or, if that is too much, only that the other section comes first, which is
 *            then true of every order.
 * Cost:      each walk is linear in the set; walks are bounded, and so are their steps in all.
 * Relies on: what the set's events need is in it (hybrid.c closes it).
 * Not here:  data. Which signal serves which wait is as recorded.
 */
#include "oracle/move.h"

#define WALKS_MAX 64
#define STEPS_MAX (1u << 19) /* of all walks */
#define NONE UINT32_MAX

enum standing { READY, FOR_EVENT, FOR_LOCK, FOR_EVER };

/* A thread of the set. */
struct runner {
	uint32_t thread, pos, end;
	fr_ev next;	      /* its next event; behind the set's: the first that is not in */
	uint32_t need, needs; /* the next of its needs, their end */
	enum standing standing;
	fr_ev event;	 /* FOR_EVENT: that */
	uint32_t lock;	 /* FOR_LOCK */
	uint32_t waiter; /* the first of the runners that wait for an event of this one */
	uint32_t other;	 /* the next that waits for the same runner or lock */
};

struct mlock {
	uint32_t epoch;
	bool owned;
	uint32_t shared, waiter;
};

struct fr_mover {
	const struct fr_model *m;
	const struct fr_causality *c;
	const struct fr_front *f;
	uint32_t *runner_of; /* of each thread that the set has touched */
	struct mlock *lock;
	uint32_t *flag_at; /* of each flag, in this walk: all that are before it were released */
	uint32_t *flag_epoch, epoch;
	FR_VEC(struct runner) runner;
	FR_VEC(struct fr_need) need, given; /* given: then what was learned */
	size_t ngiven;
	FR_VEC(struct fr_section) section;
	FR_VEC(uint32_t) heap; /* runners that are ready, the earliest on top */
	uint32_t steps;
};

struct fr_mover *fr_mover_new(const struct fr_model *m, const struct fr_causality *c)
{
	struct fr_mover *x = fr_xcalloc(1, sizeof(*x));

	x->m = m;
	x->c = c;
	x->runner_of = fr_xcalloc(m->nthreads, sizeof(*x->runner_of));
	x->lock = fr_xcalloc(m->cls[FR_C_LOCK].n, sizeof(*x->lock));
	x->flag_at = fr_xcalloc(m->cls[FR_C_FLAG].n, sizeof(*x->flag_at));
	x->flag_epoch = fr_xcalloc(m->cls[FR_C_FLAG].n, sizeof(*x->flag_epoch));
	return x;
}

void fr_mover_free(struct fr_mover *x)
{
	if (!x)
		return;
	free(x->runner_of);
	free(x->lock);
	free(x->flag_at);
	free(x->flag_epoch);
	fr_vec_free(&x->runner);
	fr_vec_free(&x->need);
	fr_vec_free(&x->given);
	fr_vec_free(&x->section);
	fr_vec_free(&x->heap);
	free(x);
}

void fr_mover_begin(struct fr_mover *x, const struct fr_front *f)
{
	x->f = f;
	x->given.n = x->ngiven = x->section.n = 0;
}

void fr_mover_need(struct fr_mover *x, fr_ev after, fr_ev before)
{
	if (fr_head(x->m, after) == fr_head(x->m, before))
		return;
	x->given.n = x->ngiven++;
	fr_vec_push(&x->given, (struct fr_need){fr_head(x->m, after), before});
}

void fr_mover_section(struct fr_mover *x, fr_ev acquire, fr_ev release)
{
	fr_vec_push(&x->section, (struct fr_section){acquire, release});
}

/* ---- what has happened, what can ---- */

static bool done(const struct fr_mover *x, fr_ev e)
{
	uint32_t t = x->m->ev[e].thread;

	if (e < x->f->floor)
		return true;
	return x->f->thread[t].epoch == x->f->epoch && e < x->runner.v[x->runner_of[t]].next;
}

static struct mlock *lock_of(struct fr_mover *x, uint32_t lock)
{
	struct mlock *l = &x->lock[lock];

	if (l->epoch != x->epoch)
		*l = (struct mlock){.epoch = x->epoch, .waiter = NONE};
	return l;
}

/* The first event of a list that has not happened and is of this kind; FR_NO_EV. */
static fr_ev not_done(const struct fr_mover *x, enum fr_class class, uint32_t obj, unsigned op)
{
	const struct fr_mclass *k = &x->m->cls[class];

	for (uint32_t i = k->first[obj]; i < k->first[obj + 1]; i++)
		if (x->m->ev[k->list[i]].op == op && !done(x, k->list[i]))
			return k->list[i];
	return FR_NO_EV;
}

/* The first release of the flag before e that has not happened. */
static fr_ev not_released(struct fr_mover *x, fr_ev e)
{
	const struct fr_mclass *k = &x->m->cls[FR_C_FLAG];
	uint32_t flag = x->m->ev[e].obj, first = k->first[flag], end = k->first[flag + 1];
	uint32_t *at = &x->flag_at[flag];

	if (x->flag_epoch[flag] != x->epoch) {
		x->flag_epoch[flag] = x->epoch;
		*at = first + fr_list_lower(k->list + first, end - first, x->f->floor);
	}
	for (; *at < end && k->list[*at] < e; ++*at)
		if (x->m->ev[k->list[*at]].op == FR_OP_RELEASE_ALL && !done(x, k->list[*at]))
			return k->list[*at];
	return FR_NO_EV;
}

/* An event that must come before e because of what e is and has not happened; FR_NO_EV: none. */
static fr_ev waits_for(struct fr_mover *x, fr_ev e)
{
	const struct fr_mev *v = &x->m->ev[e];
	const struct fr_mthread *t;
	uint32_t before;
	fr_ev w = FR_NO_EV;

	switch (v->op) {
	case FR_OP_BARRIER_ENTER:
		before = x->m->cls[FR_C_BARRIER].obj[v->obj].aux;
		return before ? not_done(x, FR_C_BARRIER, before - 1, FR_OP_BARRIER_ENTER)
			      : FR_NO_EV;
	case FR_OP_BARRIER_LEAVE:
		return not_done(x, FR_C_BARRIER, v->obj, FR_OP_BARRIER_ENTER);
	case FR_OP_ONCE_DONE:
		return not_done(x, FR_C_ONCE, v->obj, FR_OP_ONCE_END);
	case FR_OP_JOIN:
		t = &x->m->thread[v->obj];
		w = t->n ? t->ev[t->n - 1] : t->create;
		break;
	case FR_OP_ACQUIRE_ALL:
		return not_released(x, e);
	default:
		break;
	}
	return w != FR_NO_EV && !done(x, w) ? w : FR_NO_EV;
}

/* Stands for a lock, or does not. */
static bool lock_allows(struct fr_mover *x, struct runner *r, fr_ev e)
{
	const struct fr_mev *v = &x->m->ev[e];
	const struct mlock *l = lock_of(x, v->obj);

	r->lock = v->obj;
	switch (v->op) {
	case FR_OP_ACQUIRE:
		r->standing = l->owned || l->shared ? FOR_LOCK : READY;
		break;
	case FR_OP_ACQUIRE_SHARED:
		r->standing = l->owned ? FOR_LOCK : READY;
		break;
	case FR_OP_ACQUIRE_FAILED:
		r->standing = l->owned || l->shared ? READY : FOR_EVER;
		break;
	case FR_OP_ACQUIRE_SHARED_FAILED:
		r->standing = l->owned ? READY : FOR_EVER;
		break;
	default:
		break;
	}
	return r->standing == READY;
}

static bool stand_for(struct runner *r, fr_ev e)
{
	r->standing = FOR_EVENT;
	r->event = e;
	return false;
}

/* Can its next step happen? If not, it stands. */
static bool can_go(struct fr_mover *x, struct runner *r)
{
	fr_ev e = r->next, w;

	r->standing = READY;
	if (!r->pos && x->m->thread[r->thread].create != FR_NO_EV &&
	    !done(x, x->m->thread[r->thread].create))
		return stand_for(r, x->m->thread[r->thread].create);
	for (; r->need < r->needs && x->need.v[r->need].after <= e; r->need++)
		if (!done(x, x->need.v[r->need].before))
			return stand_for(r, x->need.v[r->need].before);
	do {
		if (fr_is_access(&x->m->ev[e]))
			continue;
		w = waits_for(x, e);
		if (w != FR_NO_EV)
			return stand_for(r, w);
		if (fr_op_class[x->m->ev[e].op] == FR_C_LOCK && !lock_allows(x, r, e))
			return false;
	} while (++e < x->m->n && x->m->ev[e].flags & FR_F_PART);
	return true;
}

/* ---- the walk ---- */

static void make_ready(struct fr_mover *x, uint32_t i)
{
	fr_ev e = x->runner.v[i].next;
	size_t k = x->heap.n;

	fr_vec_push(&x->heap, i);
	for (; k && x->runner.v[x->heap.v[(k - 1) / 2]].next > e; k = (k - 1) / 2)
		x->heap.v[k] = x->heap.v[(k - 1) / 2];
	x->heap.v[k] = i;
}

static uint32_t take_earliest(struct fr_mover *x)
{
	uint32_t first = x->heap.v[0], i = x->heap.v[--x->heap.n];
	size_t k = 0, n = x->heap.n;

	for (;;) {
		size_t c = 2 * k + 1;

		if (c + 1 < n &&
		    x->runner.v[x->heap.v[c + 1]].next < x->runner.v[x->heap.v[c]].next)
			c++;
		if (c >= n || x->runner.v[x->heap.v[c]].next >= x->runner.v[i].next)
			break;
		x->heap.v[k] = x->heap.v[c];
		k = c;
	}
	x->heap.v[k] = i;
	return first;
}

static void wake(struct fr_mover *x, uint32_t *list)
{
	while (*list != NONE) {
		struct runner *r = &x->runner.v[*list];
		uint32_t i = *list;

		*list = r->other;
		make_ready(x, i);
	}
}

/* Those that wait for an event of the runner that has happened by now. */
static void wake_behind(struct fr_mover *x, struct runner *r)
{
	for (uint32_t *p = &r->waiter; *p != NONE;) {
		uint32_t i = *p;

		if (x->runner.v[i].event >= r->next) {
			p = &x->runner.v[i].other;
			continue;
		}
		*p = x->runner.v[i].other;
		make_ready(x, i);
	}
}

static void lie_in_wait(struct fr_mover *x, uint32_t i)
{
	struct runner *r = &x->runner.v[i];
	uint32_t *list, t;

	if (r->standing == FOR_EVER)
		return;
	if (r->standing == FOR_LOCK) {
		list = &lock_of(x, r->lock)->waiter;
	} else {
		t = x->m->ev[r->event].thread;
		if (x->f->thread[t].epoch != x->f->epoch) {
			r->standing = FOR_EVER; /* not in the set */
			return;
		}
		list = &x->runner.v[x->runner_of[t]].waiter;
	}
	r->other = *list;
	*list = i;
}

static void change_lock(struct fr_mover *x, const struct fr_mev *v)
{
	struct mlock *l = lock_of(x, v->obj);

	switch (v->op) {
	case FR_OP_ACQUIRE:
		l->owned = true;
		break;
	case FR_OP_ACQUIRE_SHARED:
		l->shared++;
		break;
	case FR_OP_RELEASE:
		l->owned = false;
		wake(x, &l->waiter);
		break;
	case FR_OP_RELEASE_SHARED:
		l->shared -= l->shared > 0;
		wake(x, &l->waiter);
		break;
	default:
		break;
	}
}

/* Its next step happens. */
static void go(struct fr_mover *x, struct runner *r, struct fr_schedule *ret)
{
	const struct fr_mthread *t = &x->m->thread[r->thread];
	fr_ev e = r->next;

	fr_vec_push(&ret->step, e);
	do {
		r->pos++;
		if (fr_op_class[x->m->ev[e].op] == FR_C_LOCK)
			change_lock(x, &x->m->ev[e]);
		e++;
	} while (e < x->m->n && x->m->ev[e].flags & FR_F_PART);
	r->next = r->pos < t->n ? t->ev[r->pos] : FR_NO_EV;
	x->steps++;
	wake_behind(x, r);
}

static int by_after(const void *a, const void *b)
{
	const struct fr_need *x = a, *y = b;

	return (x->after > y->after) - (x->after < y->after);
}

/* The needs of each runner are in a row, ascending. */
static void deal_needs(struct fr_mover *x)
{
	FR_CLEANUP(fr_freep) uint32_t *n = fr_xcalloc(x->runner.n + 1, sizeof(*n));
	uint32_t sum = 0;

	x->need.n = 0;
	fr_vec_reserve(&x->need, x->given.n);
	FR_VEC_FOREACH (w, &x->given)
		if (fr_front_has(x->f, w->after) && w->after >= x->f->floor)
			n[x->runner_of[x->m->ev[w->after].thread]]++;
	FR_VEC_FOREACH (r, &x->runner) {
		r->need = r->needs = sum;
		sum += n[r - x->runner.v];
	}
	x->need.n = sum;
	FR_VEC_FOREACH (w, &x->given)
		if (fr_front_has(x->f, w->after) && w->after >= x->f->floor) {
			struct runner *r = &x->runner.v[x->runner_of[x->m->ev[w->after].thread]];

			x->need.v[r->needs++] = *w;
		}
	FR_VEC_FOREACH (r, &x->runner)
		if (r->needs - r->need > 1)
			qsort(x->need.v + r->need, r->needs - r->need, sizeof(*x->need.v),
			      by_after);
}

static void start(struct fr_mover *x)
{
	x->epoch++;
	assert(x->epoch);
	x->runner.n = x->heap.n = 0;
	FR_VEC_FOREACH (t, &x->f->touched) {
		const struct fr_front_thread *f = &x->f->thread[*t];
		const struct fr_mthread *th = &x->m->thread[*t];

		x->runner_of[*t] = (uint32_t)x->runner.n;
		fr_vec_push(&x->runner,
			    (struct runner){.thread = *t,
					    .pos = f->from,
					    .end = f->end,
					    .next = f->from < th->n ? th->ev[f->from] : FR_NO_EV,
					    .waiter = NONE});
	}
	deal_needs(x);
	FR_VEC_FOREACH (s, &x->section)
		if (s->acquire < x->f->floor)
			change_lock(x, &x->m->ev[s->acquire]);
	for (uint32_t i = 0; i < x->runner.n; i++)
		if (x->runner.v[i].pos < x->runner.v[i].end)
			make_ready(x, i);
}

/* True: all have come to their ends. */
static bool walk(struct fr_mover *x, struct fr_schedule *ret)
{
	uint32_t left = 0;

	start(x);
	ret->step.n = 0;
	left = (uint32_t)x->heap.n;
	while (x->heap.n) {
		uint32_t i = take_earliest(x);
		struct runner *r = &x->runner.v[i];

		for (;;) {
			if (r->pos >= r->end) {
				left--;
				break;
			}
			if (x->heap.n && x->runner.v[x->heap.v[0]].next < r->next) {
				make_ready(x, i);
				break;
			}
			if (!can_go(x, r)) {
				lie_in_wait(x, i);
				break;
			}
			go(x, r, ret);
		}
	}
	return !left;
}

/* ---- when all stand ---- */

static bool is_shared(const struct fr_mover *x, fr_ev acquire)
{
	return x->m->ev[acquire].op == FR_OP_ACQUIRE_SHARED;
}

/* The section that a runner stands for: taken and not given back; NULL: nobody's. */
static const struct fr_section *holder(const struct fr_mover *x, const struct runner *r)
{
	FR_VEC_FOREACH (s, &x->section)
		if (x->m->ev[s->acquire].obj == r->lock && done(x, s->acquire) &&
		    (s->release == FR_NO_EV || !done(x, s->release)) &&
		    !(is_shared(x, s->acquire) && is_shared(x, r->next)))
			return s;
	return NULL;
}

/* Whom a runner stands for; NULL: nobody who will go on. */
static struct runner *stands_for(const struct fr_mover *x, const struct runner *r)
{
	const struct fr_section *s;
	uint32_t t;
	struct runner *u;

	if (r->standing == FOR_EVER)
		return NULL;
	if (r->standing == FOR_LOCK) {
		s = holder(x, r);
		if (!s)
			return NULL;
		t = x->m->ev[s->acquire].thread;
	} else {
		t = x->m->ev[r->event].thread;
	}
	if (x->f->thread[t].epoch != x->f->epoch)
		return NULL;
	u = &x->runner.v[x->runner_of[t]];
	return u->pos < u->end ? u : NULL;
}

/* Somebody in a circle of runners that stand for one another; NULL: there is none. */
static struct runner *find_circle(const struct fr_mover *x)
{
	struct runner *r = NULL;

	FR_VEC_FOREACH (i, &x->runner)
		if (i->pos < i->end) {
			r = i;
			break;
		}
	for (size_t n = 0; r && n <= x->runner.n; n++)
		r = stands_for(x, r);
	return r;
}

static fr_ev release_in_set(const struct fr_mover *x, fr_ev acquire)
{
	fr_ev release = fr_release_of(x->c, acquire);

	return release != FR_NO_EV && fr_front_has(x->f, release) ? release : FR_NO_EV;
}

/*
 * `u` stands for a lock that `t` took with `acquire`, and t stands for something. False: nothing
 * can be made of it.
 */
static bool make_wait(struct fr_mover *x, const struct runner *u, const struct runner *t,
		      fr_ev acquire, bool far)
{
	const struct fr_section *s = t->standing == FOR_LOCK ? holder(x, t) : NULL;
	fr_ev before = FR_NO_EV;

	if (acquire < x->f->floor)
		return false;
	if (!far)
		before = release_in_set(x, u->next);
	else if (t->standing == FOR_EVENT)
		before = t->event;
	else if (s)
		before = s->release;
	if (before == FR_NO_EV)
		return false;
	fr_vec_push(&x->given, (struct fr_need){fr_head(x->m, acquire), before});
	return true;
}

/* Of the circle, whose lock is to be taken later? False: none is. */
static bool learn(struct fr_mover *x, bool far)
{
	struct runner *first = find_circle(x), *u = first, *best = NULL;
	fr_ev best_acquire = 0;
	bool best_recorded = false;

	if (!first)
		return false;
	do {
		const struct fr_section *s = u->standing == FOR_LOCK ? holder(x, u) : NULL;

		if (s && s->acquire >= x->f->floor) {
			/* The section that comes first in the run comes first again. */
			bool recorded = u->next < s->acquire;

			if (!best || recorded > best_recorded ||
			    (recorded == best_recorded && s->acquire > best_acquire)) {
				best = u;
				best_acquire = s->acquire;
				best_recorded = recorded;
			}
		}
		u = stands_for(x, u);
	} while (u != first);
	return best && make_wait(x, best, stands_for(x, best), best_acquire, far);
}

enum fr_moved fr_mover_go(struct fr_mover *x, bool far, struct fr_schedule *ret,
			  uint32_t *ret_events)
{
	enum fr_moved r = FR_MOVE_LONG;

	x->given.n = x->ngiven;
	x->steps = 0;
	for (unsigned n = 0; n < WALKS_MAX && x->steps < STEPS_MAX; n++) {
		if (walk(x, ret)) {
			r = FR_MOVED;
			break;
		}
		if (!learn(x, far)) {
			r = FR_MOVE_STUCK;
			break;
		}
	}
	*ret_events += x->steps;
	return r;
}
