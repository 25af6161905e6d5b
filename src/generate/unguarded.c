/*
 * Finds the locations that may have a race: see unguarded.h. One pass in recorded order reads the
 * events sequentially from memory, with 16 bytes of state per location.
 *
 * Invariant: `guard` contains only locks that were held at every access that counts. It may lack
 * some (it holds at most GUARDS_MAX locks, and only one if many locations have several); then a
 * safe location may count as open.
 *
 * Cost: nearly always the guard of a location is the lock that the thread acquired last, which is
 * tested first.
 */
#include "generate/unguarded.h"

#define GUARDS_MAX 8

struct guarded_location {
	uint32_t guard;	 /* the lock; with several, their index in `several` */
	fr_ev last;	 /* last access of the first thread, while it is alone */
	uint16_t thread; /* the first thread */
	uint8_t guards;	 /* number of guards */
	bool seen, shared, written, open;
};
_Static_assert(sizeof(struct guarded_location) == 16, "one load");

struct guards {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_locksets sets;
	struct guarded_location *location;
	fr_ev *alone; /* for each thread: alone_until + 1; 0 = not computed yet */
	/* GUARDS_MAX entries for each location that ever had several guards */
	FR_VEC(uint32_t) several;
};

fr_ev fr_alone_until(const struct fr_model *m, const struct fr_causality *c, uint32_t t)
{
	fr_ev until = m->n;

	for (uint32_t u = 0; u < m->nthreads; u++) {
		fr_ev last;

		if (u == t || !m->thread[u].n)
			continue;
		last = fr_mhb_last(c, m->thread[u].ev[0], t);
		until = fr_min(until, last == FR_NO_EV ? 0 : last + 1);
	}
	fr_assert(until <= m->n);
	return until;
}

static fr_ev alone_until(struct guards *g, uint32_t t)
{
	if (!g->alone[t])
		g->alone[t] = fr_alone_until(g->m, g->c, t) + 1;
	return g->alone[t] - 1;
}

/* Does the thread hold the lock, exclusively if it writes? */
static inline bool holds(const struct fr_lockset_thread *t, uint32_t lock, bool write)
{
	for (size_t i = t->taken.n; i--;)
		if (t->taken.v[i] >> 1 == lock)
			return !(write && t->taken.v[i] & 1);
	return false;
}

/* Sets the location's guards to the locks that the thread holds now. */
static void begin_guards(struct guards *g, struct guarded_location *p,
			 const struct fr_lockset_thread *t, bool write)
{
	uint32_t *lock;

	p->guards = 0;
	for (size_t i = t->taken.n; i-- && p->guards < GUARDS_MAX;) {
		if (write && t->taken.v[i] & 1)
			continue;
		if (p->guards == 1) {
			if (g->several.n > g->m->n / 8)
				return;
			fr_vec_reserve(&g->several, GUARDS_MAX);
			g->several.v[g->several.n] = p->guard;
			p->guard = (uint32_t)g->several.n;
			g->several.n += GUARDS_MAX;
		}
		lock = p->guards ? &g->several.v[p->guard + p->guards] : &p->guard;
		fr_assert_slow(!p->guards || p->guard + p->guards < g->several.n);
		*lock = (uint32_t)(t->taken.v[i] >> 1);
		p->guards++;
	}
}

/* Keeps only the guards that the thread holds now. */
static void fewer_guards(struct guards *g, struct guarded_location *p,
			 const struct fr_lockset_thread *t, bool write)
{
	uint32_t *lock = p->guards > 1 ? g->several.v + p->guard : &p->guard;
	uint8_t n = 0;

	fr_assert_slow(p->guards <= 1 || p->guard + GUARDS_MAX <= g->several.n);
	for (uint8_t i = 0; i < p->guards; i++)
		if (holds(t, lock[i], write))
			lock[n++] = lock[i];
	if (p->guards > 1 && n == 1)
		p->guard = lock[0];
	p->guards = n;
}

/* The first access of a second thread: decides whether the accesses of the first one count. */
static void meet(struct guards *g, struct guarded_location *p, const struct fr_lockset_thread *t,
		 bool write)
{
	fr_assert(p->seen && !p->shared && p->last < g->m->n && p->thread < g->m->nthreads);
	p->shared = true;
	if (p->last >= alone_until(g, p->thread))
		return;
	p->written = false;
	begin_guards(g, p, t, write);
}

static void see_access(struct guards *g, fr_ev e)
{
	const struct fr_mev *v = &g->m->ev[e];
	const struct fr_lockset_thread *t = &g->sets.thread[v->thread];
	struct guarded_location *p = &g->location[v->obj];
	bool write = v->op == FR_OP_WRITE;

	if (v->flags & FR_NO_TARGET || p->open)
		return;
	if (!p->shared) {
		if (!p->seen) {
			p->seen = true;
			p->thread = v->thread;
			begin_guards(g, p, t, write);
		}
		if (p->thread == v->thread)
			p->last = e;
		else
			meet(g, p, t, write);
	}
	p->written |= write;
	if (p->guards)
		fewer_guards(g, p, t, write);
	p->open = p->shared && p->written && !p->guards;
	fr_assert_slow(p->guards <= GUARDS_MAX);
}

/* The common case: the only guard is the lock acquired last, or there is no guard and no write. */
static inline bool as_usual(const struct guards *g, const struct fr_mev *v)
{
	const struct fr_lockset_thread *t = &g->sets.thread[v->thread];
	const struct guarded_location *p = &g->location[v->obj];

	if (!p->shared)
		return false;
	if (p->guards == 1)
		return t->taken.n && t->taken.v[t->taken.n - 1] == (fr_locked)p->guard << 1 &&
		       (p->written || v->op == FR_OP_READ);
	return p->open || (!p->guards && v->op == FR_OP_READ);
}

uint32_t fr_guards_find(const struct fr_model *m, const struct fr_causality *c, bool **ret)
{
	const struct fr_mclass *k = &m->cls[FR_C_LOC];
	struct guards g = {.m = m, .c = c};
	uint32_t accesses = 0;

	fr_locksets_init(&g.sets, m->nthreads);
	g.location = fr_xcalloc((size_t)k->n + 1, sizeof(*g.location));
	g.alone = fr_xcalloc(m->nthreads, sizeof(*g.alone));
	for (fr_ev e = 0; e < m->n; e++) {
		const struct fr_mev *v = &m->ev[e];

		if (fr_is_access(v)) {
			if (!as_usual(&g, v))
				see_access(&g, e);
		} else if (fr_changes_locks(v)) {
			fr_locksets_step(&g.sets, v);
		}
	}
	*ret = fr_xcalloc((size_t)k->n + 1, sizeof(**ret));
	for (uint32_t i = 0; i < k->n; i++) {
		(*ret)[i] = g.location[i].open;
		if (g.location[i].open)
			accesses += k->first[i + 1] - k->first[i];
	}
	fr_assert(accesses <= k->first[k->n]);
	free(g.location);
	free(g.alone);
	fr_vec_free(&g.several);
	fr_locksets_free(&g.sets);
	return accesses;
}
