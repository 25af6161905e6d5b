/*
 * Must-happen-before over one recorded run. The same walk computes everything else that is equal
 * for all candidates: snapshots of the locks held, cuts, and which accesses are writes.
 *
 * Meaning:   a -> b iff every feasible reordering that contains b has a before it, as far as
 *            program order, creation, joins, barriers, once and annotations tell (GPredict III-A).
 *            Entry t of the clock at b is 1 + the last such event of thread t, so a comparison
 *            compares positions in the recorded order.
 * Invariant: clocks grow along each thread. A thread's own entry is not stored, because program
 *            order is the recorded order.
 * Size:      one point for each time a thread learns something new, one snapshot for every 64
 *            events of a thread, and two bits per event. Nothing else grows with the events.
 * Not here:  the effects of locks, conditions, semaphores and data, which are choices.
 */
#include "causality/causality_internal.h"

struct causality_walk {
	struct fr_causality *c;
	const struct fr_model *m;
	struct walk_thread {
		FR_VEC(fr_ev) held;
		fr_clock clock;
		uint32_t pos;
	} *thread;
	uint32_t *loc; /* for each location: index of its next access in the list */
	/* for each barrier: join of the clocks of all that entered; 0 = not computed yet */
	fr_clock *enter;
	fr_ev *once_end;
	struct flag {
		fr_clock clock;
		FR_VEC(fr_ev) release; /* not yet in the clock, one per thread */
	} *flag;
	uint32_t busy; /* number of locks held and of waits that have begun */
};

/* The clock at e, without e itself. */
static fr_clock clock_at(const struct fr_causality *c, fr_ev e)
{
	const struct fr_cthread *t = &c->thread[c->m->ev[e].thread];
	size_t lo = 0, n = t->point.n;

	while (n) {
		size_t half = n / 2;

		if (t->point.v[lo + half].at <= e) {
			lo += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return lo ? t->point.v[lo - 1].clock : 0;
}

/* The clock at e, with e itself. */
static fr_clock clock_after(struct fr_causality *c, fr_ev e)
{
	return fr_clock_raise(&c->clocks, clock_at(c, e), c->m->ev[e].thread, e + 1);
}

static void come_in(struct causality_walk *w, fr_ev e, fr_clock clock)
{
	uint32_t t = w->m->ev[e].thread;
	fr_clock joined = fr_clock_join(&w->c->clocks, w->thread[t].clock, clock);

	if (joined == w->thread[t].clock)
		return;
	w->thread[t].clock = joined;
	fr_assert(!w->c->thread[t].point.n ||
		  w->c->thread[t].point.v[w->c->thread[t].point.n - 1].at <= e);
	fr_vec_push(&w->c->thread[t].point, (struct fr_point){e, joined});
}

static void first_event(struct causality_walk *w, fr_ev e)
{
	fr_ev create = w->m->thread[w->m->ev[e].thread].create;

	if (create < e)
		come_in(w, e, clock_after(w->c, create));
}

/* Everything that the threads of a generation know once all of them have entered it. */
static fr_clock all_entered(struct causality_walk *w, uint32_t barrier)
{
	const struct fr_mclass *k = &w->m->cls[FR_C_BARRIER];

	fr_assert(barrier < k->n);
	if (!w->enter[barrier])
		for (uint32_t i = k->first[barrier]; i < k->first[barrier + 1]; i++)
			if (w->m->ev[k->list[i]].op == FR_OP_BARRIER_ENTER)
				w->enter[barrier] = fr_clock_join(&w->c->clocks, w->enter[barrier],
								  clock_after(w->c, k->list[i]));
	return w->enter[barrier];
}

static void walk_flag(struct causality_walk *w, fr_ev e)
{
	const struct fr_mev *v = &w->m->ev[e];
	struct flag *f = &w->flag[v->obj];

	if (v->op == FR_OP_ACQUIRE_ALL) {
		FR_VEC_FOREACH (r, &f->release)
			f->clock = fr_clock_join(&w->c->clocks, f->clock, clock_after(w->c, *r));
		f->release.n = 0;
		come_in(w, e, f->clock);
		return;
	}
	FR_VEC_FOREACH (r, &f->release) {
		if (w->m->ev[*r].thread == v->thread) {
			*r = e;
			return;
		}
	}
	fr_vec_push(&f->release, e);
	fr_assert(f->release.n <= w->m->nthreads); /* one per thread */
}

static void walk_join(struct causality_walk *w, fr_ev e)
{
	const struct fr_mthread *t = &w->m->thread[w->m->ev[e].obj];
	fr_ev last = t->n ? t->ev[t->n - 1] : t->create;

	if (last < e)
		come_in(w, e, clock_after(w->c, last));
}

static void walk_lock(struct causality_walk *w, fr_ev e)
{
	const struct fr_mev *v = &w->m->ev[e];
	struct walk_thread *t = &w->thread[v->thread];
	uint32_t i;

	if (fr_is_acquire(v->op)) {
		fr_vec_push(&t->held, e);
		w->busy++;
	} else if (fr_is_release(v->op)) {
		i = fr_held_find(w->m, t->held.v, (uint32_t)t->held.n, v);
		if (i == t->held.n)
			return;
		for (t->held.n--; i < t->held.n; i++)
			t->held.v[i] = t->held.v[i + 1];
		fr_assert(w->busy);
		w->busy--;
	}
}

static void walk_sync(struct causality_walk *w, fr_ev e)
{
	const struct fr_mev *v = &w->m->ev[e];
	uint32_t before;

	switch (v->op) {
	case FR_OP_JOIN:
		walk_join(w, e);
		break;
	case FR_OP_BARRIER_ENTER:
		before = w->m->cls[FR_C_BARRIER].obj[v->obj].aux;
		if (before)
			come_in(w, e, all_entered(w, before - 1));
		break;
	case FR_OP_BARRIER_LEAVE:
		come_in(w, e, all_entered(w, v->obj));
		break;
	case FR_OP_ONCE_END:
		w->once_end[v->obj] = e + 1;
		break;
	case FR_OP_ONCE_DONE:
		if (w->once_end[v->obj])
			come_in(w, e, clock_after(w->c, w->once_end[v->obj] - 1));
		break;
	case FR_OP_ACQUIRE_ALL:
	case FR_OP_RELEASE_ALL:
		walk_flag(w, e);
		break;
	case FR_OP_WAIT_BEGIN:
		w->busy++;
		break;
	case FR_OP_WAIT:
		w->busy -= w->busy > 0;
		break;
	default:
		walk_lock(w, e);
		break;
	}
}

static void snap_held(struct causality_walk *w, uint32_t thread)
{
	struct fr_held_snapshot *k = &w->c->thread[thread].held;

	fr_assert(k->start.n == (w->thread[thread].pos - 1) / FR_HELD_STEP);
	fr_vec_push(&k->start, (uint32_t)k->acquire.n);
	FR_VEC_FOREACH (a, &w->thread[thread].held)
		fr_vec_push(&k->acquire, *a);
}

static void walk_events(struct causality_walk *w)
{
	const struct fr_model *m = w->m;

	for (fr_ev e = 0; e < m->n; e++) {
		const struct fr_mev *v = &m->ev[e];
		struct walk_thread *t = &w->thread[v->thread];

		if (t->pos++ % FR_HELD_STEP == 0) {
			if (t->pos == 1)
				first_event(w, e);
			snap_held(w, v->thread);
		}
		if (!w->busy && !(v->flags & FR_F_PART))
			fr_bits_set(&w->c->cut, e);
		if (fr_is_access(v)) {
			uint32_t at = w->loc[v->obj]++;

			if (v->op == FR_OP_WRITE)
				fr_bits_set(&w->c->write, at);
		} else {
			walk_sync(w, e);
		}
	}
	if (!w->busy)
		fr_bits_set(&w->c->cut, m->n);
	fr_bits_set(&w->c->cut, 0);
	for (uint32_t t = 0; t < m->nthreads; t++) {
		fr_assert(w->thread[t].pos == m->thread[t].n);
		fr_vec_push(&w->c->thread[t].held.start, (uint32_t)w->c->thread[t].held.acquire.n);
	}
	for (uint32_t i = 0; i < m->cls[FR_C_LOC].n; i++)
		fr_assert(w->loc[i] == m->cls[FR_C_LOC].first[i + 1]);
}

static void walk_free(struct causality_walk *w)
{
	for (uint32_t t = 0; t < w->m->nthreads; t++)
		fr_vec_free(&w->thread[t].held);
	for (uint32_t i = 0; i < w->m->cls[FR_C_FLAG].n; i++)
		fr_vec_free(&w->flag[i].release);
	free(w->thread);
	free(w->loc);
	free(w->enter);
	free(w->once_end);
	free(w->flag);
}

struct fr_causality *fr_causality_new(const struct fr_model *m)
{
	const struct fr_mclass *loc = &m->cls[FR_C_LOC];
	struct fr_causality *c = fr_xcalloc(1, sizeof(*c));
	struct causality_walk w = {.c = c, .m = m};

	c->m = m;
	c->thread = fr_xcalloc(m->nthreads, sizeof(*c->thread));
	fr_clocks_init(&c->clocks, m->nthreads);
	fr_bits_init(&c->cut, m->n + 1);
	fr_bits_init(&c->write, loc->first[loc->n]);
	w.thread = fr_xcalloc(m->nthreads, sizeof(*w.thread));
	w.loc = fr_xmalloc(((size_t)loc->n + 1) * sizeof(*w.loc));
	for (uint32_t i = 0; i < loc->n; i++)
		w.loc[i] = loc->first[i];
	w.enter = fr_xcalloc(m->cls[FR_C_BARRIER].n, sizeof(*w.enter));
	w.once_end = fr_xcalloc(m->cls[FR_C_ONCE].n, sizeof(*w.once_end));
	w.flag = fr_xcalloc(m->cls[FR_C_FLAG].n, sizeof(*w.flag));
	walk_events(&w);
	walk_free(&w);
	fr_bits_finish(&c->cut);
	fr_bits_finish(&c->write);
	fr_causality_signals(c);
	fr_causality_semaphores(c);
	return c;
}

void fr_causality_free(struct fr_causality *c)
{
	if (!c)
		return;
	for (uint32_t t = 0; t < c->m->nthreads; t++) {
		fr_vec_free(&c->thread[t].point);
		fr_vec_free(&c->thread[t].held.start);
		fr_vec_free(&c->thread[t].held.acquire);
	}
	free(c->thread);
	fr_clocks_free(&c->clocks);
	fr_bits_free(&c->cut);
	fr_bits_free(&c->write);
	fr_map_free(&c->signal);
	free(c->sem_first);
	free(c->sem_snapshot);
	free(c);
}

bool fr_mhb(const struct fr_causality *c, fr_ev a, fr_ev b)
{
	uint32_t ta = c->m->ev[a].thread;

	fr_assert_slow(a < c->m->n && b < c->m->n);
	if (a >= b)
		return false;
	if (ta == c->m->ev[b].thread)
		return true;
	return fr_clock_get(&c->clocks, clock_at(c, b), ta) > a;
}

fr_ev fr_mhb_last(const struct fr_causality *c, fr_ev e, uint32_t t)
{
	uint32_t n;

	if (t == c->m->ev[e].thread)
		return fr_model_prev(c->m, e);
	n = fr_clock_get(&c->clocks, clock_at(c, e), t);
	fr_assert(!n || (n - 1 < e && c->m->ev[n - 1].thread == t));
	return n ? n - 1 : FR_NO_EV;
}

fr_ev fr_cut_before(const struct fr_causality *c, fr_ev e, uint32_t skip)
{
	fr_ev r = fr_bits_before(&c->cut, 0, fr_min(e, c->m->n) + 1, 0);

	while (skip-- && r)
		r = fr_bits_before(&c->cut, 0, r, 0);
	fr_assert(r <= e && fr_bits_get(&c->cut, r));
	return r;
}

/* at: the index of the read in the list of locations. */
static uint32_t writers(const struct fr_causality *c, fr_ev read, uint32_t at, fr_ev floor,
			fr_ev ret[8])
{
	const struct fr_mclass *k = &c->m->cls[FR_C_LOC];
	const struct fr_mev *r = &c->m->ev[read];
	uint32_t first = k->first[r->obj], n = 0;
	unsigned todo = r->mask;

	fr_assert_slow(r->op == FR_OP_READ && k->list[at] == read);
	while (todo) {
		const struct fr_mev *v;

		at = fr_bits_before(&c->write, first, at, UINT32_MAX);
		if (at == UINT32_MAX || k->list[at] < floor)
			break;
		v = &c->m->ev[k->list[at]];
		if (v->mask & todo)
			ret[n++] = k->list[at];
		todo &= ~(unsigned)v->mask;
	}
	fr_assert(n <= 8); /* each provides a byte of its own */
	return n;
}

uint32_t fr_writers_since(const struct fr_causality *c, fr_ev read, fr_ev floor, fr_ev ret[8])
{
	const struct fr_mclass *k = &c->m->cls[FR_C_LOC];
	uint32_t obj = c->m->ev[read].obj, first = k->first[obj];

	return writers(c, read,
		       first + fr_list_lower(k->list + first, k->first[obj + 1] - first, read),
		       floor, ret);
}

uint32_t fr_writers_near(const struct fr_causality *c, fr_ev read, fr_ev floor, uint32_t *near,
			 fr_ev ret[8])
{
	const struct fr_mclass *k = &c->m->cls[FR_C_LOC];
	uint32_t obj = c->m->ev[read].obj, first = k->first[obj];

	*near = fr_list_lower_near(k->list + first, k->first[obj + 1] - first, read, *near);
	return writers(c, read, first + *near, floor, ret);
}

uint32_t fr_write_before(const struct fr_causality *c, uint32_t from, uint32_t end)
{
	return fr_bits_before(&c->write, from, end, UINT32_MAX);
}

fr_ev fr_write_from(const struct fr_causality *c, uint32_t loc, uint8_t mask, fr_ev from)
{
	const struct fr_mclass *k = &c->m->cls[FR_C_LOC];
	uint32_t first = k->first[loc], end = k->first[loc + 1];
	uint32_t i = first + fr_list_lower(k->list + first, end - first, from);

	while ((i = fr_bits_from(&c->write, i, end, UINT32_MAX)) != UINT32_MAX) {
		if (c->m->ev[k->list[i]].mask & mask)
			return k->list[i];
		i++;
	}
	return FR_NO_EV;
}
