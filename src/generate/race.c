/*
 * Data races: two accesses to overlapping bytes by different threads, at least one a write, not
 * both atomic, that can be pending at once. There is one group for each pair of sites.
 *
 * The search takes the locations one by one, and walks along the list of each. Accesses of one
 * thread from one site with one set of locks are alike: only the last is kept, and a new access is
 * compared with the last of each other class. This loses nothing to must-happen-before: if the last
 * one is ordered before the new access, all earlier ones are.
 *
 * Cost:             locations that a lock guards are left out (unguarded.c). Comparisons are
 *                   rationed: an access like many earlier ones is compared only now and then, and
 *                   the classes kept for a location and the comparisons for each access are
 *                   bounded. So the cost is linear in the accesses.
 * Memory:           two bytes for each access to the remaining locations while the search runs. The
 *                   state of a location is dropped after it.
 * Left out:         writes of one signal handler to a flag, in two threads.
 * Not decided here: whether the two can really meet. The oracle decides that.
 */
#include "generate/generate.h"
#include "generate/matches.h"
#include "generate/unguarded.h"
#include "generate/recent_accesses.h"
#include "generate/lockset.h"
#include "causality/refute.h"

#define CREDIT 1024	/* comparisons per location, */
#define CREDIT_ACCESS 4 /* plus this many for each access */
#define GROUPS_MAX 200000
#define MANY 20000 /* above this number of groups, fewer instances of each */
#define AHEAD 16

struct races {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_groups *ret;
	struct fr_locksets sets;
	bool *open;    /* the locations that may have a race */
	uint16_t *set; /* lock set of each access to an open location, location by location */
	struct fr_matches matches;
	/* State of one location. */
	struct fr_recent recent[2]; /* reads, writes: each with one list; span: the lock set */
	uint32_t credit;
};

#define WHAT_WRITE 0x100
#define WHAT_ATOMIC 0x200

/* Walks along the run again, and finds the locks held at the accesses to open locations. */
static void find_locksets(struct races *r)
{
	const struct fr_model *m = r->m;
	const struct fr_mclass *k = &m->cls[FR_C_LOC];
	FR_CLEANUP(fr_freep) uint32_t *next = fr_xmalloc(((size_t)k->n + 1) * sizeof(*next));
	uint32_t n = 0;

	for (uint32_t i = 0; i < k->n; i++) {
		next[i] = r->open[i] ? n : UINT32_MAX;
		if (r->open[i])
			n += k->first[i + 1] - k->first[i];
	}
	for (fr_ev e = 0; e < m->n; e++) {
		const struct fr_mev *v = &m->ev[e];

		if (!fr_is_access(v)) {
			if (fr_changes_locks(v))
				fr_locksets_step(&r->sets, v);
		} else if (next[v->obj] != UINT32_MAX) {
			r->set[next[v->obj]++] = fr_locksets_now(&r->sets, v->thread);
		}
	}
}

/* ---- pairs ---- */

#define HANDLER 64 /* events of a handler before the access */

/* Is the write part of a signal handler? */
static bool in_handler(const struct fr_model *m, fr_ev e)
{
	const struct fr_mthread *t = &m->thread[m->ev[e].thread];
	size_t at = fr_bisect(t->n, i, t->ev[i] < e);

	for (size_t i = at; i-- > 0 && at - i <= HANDLER;) {
		const struct fr_mev *v = &m->ev[t->ev[i]];

		if (v->op == FR_OP_MARK &&
		    (v->obj == FR_EV_SIGNAL_BEGIN || v->obj == FR_EV_SIGNAL_END))
			return v->obj == FR_EV_SIGNAL_BEGIN;
	}
	return false;
}

/* Two runs of one handler, in two threads, that set a volatile flag: for that, C has sig_atomic_t,
   a type no larger than int. */
static bool both_set_flag(const struct fr_model *m, fr_ev a, fr_ev b)
{
	const struct fr_mev *x = &m->ev[a], *y = &m->ev[b];

	return x->site == y->site && x->op == FR_OP_WRITE && y->op == FR_OP_WRITE &&
	       __builtin_popcount(x->mask) <= (int)sizeof(int) && m->trace && m->trace->sites &&
	       fr_sites_get(m->trace->sites, x->site).access & FR_SITE_VOLATILE &&
	       in_handler(m, a) && in_handler(m, b);
}

static void meet(struct races *r, const struct fr_recent_access *old, fr_ev e, uint16_t sy)
{
	const struct fr_mev *x = &r->m->ev[old->ev], *y = &r->m->ev[e];
	uint16_t sx = (uint16_t)old->span;
	uint32_t p = x->site, q = y->site;
	fr_ev ev[2];
	struct fr_match_group of = {.key = (p < q ? fr_mix(p, q) : fr_mix(q, p)) >> 1, .nev = 2};
	struct fr_match w = {.ev = ev, .apart = fr_apart(old->ev, e), .end = e};
	bool unknown = !fr_lockset_exact(&r->sets, sx) || !fr_lockset_exact(&r->sets, sy);

	fr_assert(x->obj == y->obj && x->thread != y->thread && x->mask & y->mask);
	fr_assert(x->op == FR_OP_WRITE || y->op == FR_OP_WRITE);
	if (fr_locksets_exclude(&r->sets, sx, sy) || both_set_flag(r->m, old->ev, e)) {
		r->ret->excluded++;
		return;
	}
	w.context =
	    (uint32_t)fr_mix((uint64_t)x->thread << 16 | y->thread, (uint64_t)sx << 16 | sy);
	if (!fr_matches_want(&r->matches, of.key, &w))
		return;
	if (fr_mhb(r->c, old->ev, e) || (unknown && fr_pair_infeasible(r->m, r->c, old->ev, e))) {
		r->ret->excluded++;
		return;
	}
	ev[0] = fr_head(r->m, old->ev);
	ev[1] = fr_head(r->m, e);
	fr_assert(old->ev < e && ev[0] < ev[1]);
	w.note = old->ev - ev[0];
	if (!fr_matches_add(&r->matches, &of, &w))
		r->ret->cut_off++;
}

static void write_matches(void *arg, struct fr_group *g, const struct fr_match *w, uint32_t n)
{
	(void)arg;
	for (uint32_t i = 0; i < n; i++) {
		struct fr_instance *in = fr_instance_new(2);

		fr_assert(w[i].ev[0] != w[i].ev[1] && w[i].ev[1] <= w[i].end);
		fr_assert(w[i].ev[0] + w[i].note < w[i].end);
		in->what.npending = 2;
		in->what.pending[0] = w[i].ev[0];
		in->what.pending[1] = w[i].ev[1];
		in->actor[0] = (struct fr_actor){w[i].ev[0] + w[i].note, FR_ROLE_FIRST, 1};
		in->actor[1] = (struct fr_actor){w[i].end, FR_ROLE_SECOND, 1};
		fr_vec_push(&g->instance, in);
	}
}

/* ---- locations ---- */

/* Compares the access with the last of each class, most recent first. */
static void look_at(struct races *r, struct fr_recent *x, fr_ev e, uint16_t what, uint16_t set)
{
	for (uint8_t i = fr_recent_list(x, 0)->newest; i != FR_RECENT_NONE; i = x->v[i].older) {
		const struct fr_recent_class *o = &x->v[i];

		if (!r->credit) {
			r->ret->cut_off++;
			return;
		}
		r->credit--;
		if (o->thread != r->m->ev[e].thread && o->last.what & what & 0xff &&
		    !(o->last.what & what & WHAT_ATOMIC))
			meet(r, &o->last, e, set);
	}
}

static void see_access(struct races *r, fr_ev e, uint16_t set)
{
	const struct fr_mev *v = &r->m->ev[e];
	uint16_t what = (uint16_t)(v->mask | (v->op == FR_OP_WRITE ? WHAT_WRITE : 0) |
				   (v->flags & FR_F_ATOMIC ? WHAT_ATOMIC : 0));
	uint64_t key = fr_mix((uint64_t)v->thread << 48 | (uint64_t)set << 32 | v->site, what);
	struct fr_recent *x = &r->recent[v->op == FR_OP_WRITE];
	struct fr_recent_class *k;

	if (v->flags & FR_NO_TARGET)
		return;
	k = fr_recent_find(x, key);
	if (!k) {
		k = fr_recent_add(x, key, fr_recent_list(x, 0), v);
		r->ret->cut_off += x->forgot;
	}
	fr_assert_slow(!k->count || k->last.ev < e);
	r->credit += CREDIT_ACCESS;
	fr_recent_seen(x, k);
	if (fr_sample_now(k->count - 1)) {
		look_at(r, &r->recent[1], e, what, set);
		if (what & WHAT_WRITE)
			look_at(r, &r->recent[0], e, what, set);
	}
	k->last = (struct fr_recent_access){.ev = e, .span = set, .what = what};
}

/* set: the lock sets of the location's accesses. Returns the number of accesses. */
static uint32_t see_location(struct races *r, uint32_t loc, const uint16_t *set)
{
	const struct fr_mclass *k = &r->m->cls[FR_C_LOC];
	const fr_ev *list = k->list + k->first[loc];
	uint32_t n = k->first[loc + 1] - k->first[loc];

	fr_recent_clear(&r->recent[0]);
	fr_recent_clear(&r->recent[1]);
	r->credit = CREDIT;
	for (uint32_t i = 0; i < n; i++) {
		if (i + AHEAD < n)
			__builtin_prefetch(&r->m->ev[list[i + AHEAD]]);
		see_access(r, list[i], set[i]);
	}
	return n;
}

static void generate(const struct fr_generator *self, const struct fr_model *m,
		     const struct fr_causality *c, const struct fr_generate_opt *opt,
		     struct fr_groups *ret)
{
	struct races *r = fr_xcalloc(1, sizeof(*r));
	size_t n, all;

	(void)self;
	(void)opt;
	*ret = (struct fr_groups){0};
	r->m = m;
	r->c = c;
	r->ret = ret;
	r->matches.max = GROUPS_MAX;
	r->matches.many = MANY;
	n = fr_guards_find(m, c, &r->open);
	if (n) {
		fr_locksets_init(&r->sets, m->nthreads);
		r->set = fr_xmalloc(n * sizeof(*r->set));
		find_locksets(r);
		all = n;
		n = 0;
		for (uint32_t i = 0; i < m->cls[FR_C_LOC].n; i++)
			if (r->open[i])
				n += see_location(r, i, r->set + n);
		fr_assert(n == all);
		fr_locksets_free(&r->sets);
	}
	free(r->set);
	free(r->open);
	fr_matches_write(&r->matches, write_matches, NULL, ret);
	fr_matches_free(&r->matches);
	free(r);
	fr_groups_sort(ret);
}

const struct fr_generator fr_generator_race = {
    .name = "data-race",
    .summary = "two threads access the same bytes at once, and one of them writes",
    .meeting = FR_MEETING_EITHER_ORDER,
    .rank = 50,
    .generate = generate,
};
