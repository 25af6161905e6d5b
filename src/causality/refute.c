/*
 * The refuter: reasons why no reordering can reach a candidate, cheapest first.
 *
 * ORDERED:     one target must happen before an event that must precede another (GPredict III-A);
 *              or another write must come between a write and the read that should see it.
 * COMMON_LOCK: two pending threads would hold one lock, one of them exclusively.
 * HISTORY:     since t acquired the lock L that it holds, it also held K and released it. Since u
 *              acquired the lock K that it holds, it also held L and released it. Then t's section
 *              of K must precede u's open one, and u's section of L must precede t's open one: a
 *              cycle (PECAN 4, acquisition histories).
 * CYCLE:       a target is among the events that every reordering must contain: the pasts of the
 *              targets, the only possible write for each of their reads, and the release of each
 *              section of a lock that a pending thread holds (required.c).
 *
 * Every conclusion holds for all reorderings of the whole run. Examining only a part of the run
 * means fewer conclusions, never wrong ones.
 */
#include "causality/refute.h"
#include "causality/prefix.h"
#include "causality/required.h"

#define HELD 64
#define FAR 8192	 /* events to examine before the first target */
#define HISTORY_MAX 4096 /* entries of a lock's list that are examined */
#define WRITES_MAX 256	 /* writes that could hide another one, from that one on */

struct fr_refuter {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_required *must;
};

struct fr_refuter *fr_refuter_new(const struct fr_model *m, const struct fr_causality *c)
{
	struct fr_refuter *r = fr_xcalloc(1, sizeof(*r));

	r->m = m;
	r->c = c;
	r->must = fr_required_new(m, c);
	return r;
}

void fr_refuter_free(struct fr_refuter *r)
{
	if (!r)
		return;
	fr_required_free(r->must);
	free(r);
}

/* Must `a` have happened when b is the next event of its thread? */
static bool past_of_pending(const struct fr_model *m, const struct fr_causality *c, fr_ev a,
			    fr_ev b)
{
	fr_ev p = fr_model_prev(m, b);

	fr_assert_slow(a < b);
	if (p == FR_NO_EV)
		p = m->thread[m->ev[b].thread].create;
	return p != FR_NO_EV && (a == p || fr_mhb(c, a, p));
}

static bool common_lock(const struct fr_held *a, uint32_t na, const struct fr_held *b, uint32_t nb)
{
	for (uint32_t i = 0; i < na; i++)
		for (uint32_t k = 0; k < nb; k++)
			if (a[i].lock == b[k].lock && !(a[i].shared && b[k].shared))
				return true;
	return false;
}

bool fr_pair_ordered(const struct fr_model *m, const struct fr_causality *c, fr_ev a, fr_ev b)
{
	return a < b ? past_of_pending(m, c, a, b) : past_of_pending(m, c, b, a);
}

enum fr_reason fr_pair_infeasible(const struct fr_model *m, const struct fr_causality *c, fr_ev a,
				  fr_ev b)
{
	struct fr_held ha[HELD], hb[HELD];
	uint32_t na, nb;

	fr_assert(m->ev[a].thread != m->ev[b].thread);
	if (fr_pair_ordered(m, c, a, b))
		return FR_WHY_ORDERED;
	na = fr_min(fr_locks_held(c, a, ha, HELD), (uint32_t)HELD);
	nb = na ? fr_min(fr_locks_held(c, b, hb, HELD), (uint32_t)HELD) : 0;
	return common_lock(ha, na, hb, nb) ? FR_WHY_COMMON_LOCK : FR_WHY_NONE;
}

/* Did `pending`'s thread acquire the lock of `h` after `since` and before `pending`, in a mode
   that h excludes? Each such section must be over, because h's thread is pending while holding
   the lock. */
static bool held_since(const struct fr_refuter *r, const struct fr_held *h, fr_ev since,
		       fr_ev pending)
{
	const struct fr_mclass *k = &r->m->cls[FR_C_LOCK];
	uint32_t first = k->first[h->lock], n = k->first[h->lock + 1] - first, walked = 0;

	for (uint32_t i = first + fr_list_lower(k->list + first, n, pending);
	     i-- > first && k->list[i] > since && walked++ < HISTORY_MAX;) {
		const struct fr_mev *v = &r->m->ev[k->list[i]];

		if (v->thread == r->m->ev[pending].thread &&
		    (v->op == FR_OP_ACQUIRE || (v->op == FR_OP_ACQUIRE_SHARED && !h->shared)))
			return true;
	}
	return false;
}

static bool histories(const struct fr_refuter *r, fr_ev a, const struct fr_held *ha, uint32_t na,
		      fr_ev b, const struct fr_held *hb, uint32_t nb)
{
	for (uint32_t i = 0; i < na; i++)
		for (uint32_t k = 0; k < nb; k++)
			if (ha[i].lock != hb[k].lock && held_since(r, &hb[k], ha[i].acquire, a) &&
			    held_since(r, &ha[i], hb[k].acquire, b))
				return true;
	return false;
}

/* Tests all pairs of pending targets. */
static enum fr_reason test_pending(const struct fr_refuter *r, const struct fr_candidate *what)
{
	struct fr_held ha[HELD], hb[HELD];

	for (uint32_t i = 0; i < what->npending; i++)
		for (uint32_t k = i + 1; k < what->npending; k++)
			if (r->m->ev[what->pending[i]].thread ==
				r->m->ev[what->pending[k]].thread ||
			    fr_pair_ordered(r->m, r->c, what->pending[i], what->pending[k]))
				return FR_WHY_ORDERED;
	for (uint32_t i = 0; i < what->npending; i++) {
		fr_ev a = what->pending[i];
		uint32_t na = fr_min(fr_locks_held(r->c, a, ha, HELD), (uint32_t)HELD);

		for (uint32_t k = i + 1; na && k < what->npending; k++) {
			fr_ev b = what->pending[k];
			uint32_t nb = fr_min(fr_locks_held(r->c, b, hb, HELD), (uint32_t)HELD);

			if (common_lock(ha, na, hb, nb))
				return FR_WHY_COMMON_LOCK;
			if (histories(r, a, ha, na, b, hb, nb))
				return FR_WHY_HISTORY;
		}
	}
	return FR_WHY_NONE;
}

static bool is_pending(const struct fr_model *m, const struct fr_candidate *what, fr_ev e)
{
	e = fr_head(m, e);
	for (uint32_t i = 0; i < what->npending; i++)
		if (what->pending[i] == e)
			return true;
	return false;
}

static enum fr_reason test_edges(const struct fr_refuter *r, const struct fr_candidate *what)
{
	for (uint32_t i = 0; i < what->nedges; i++) {
		fr_ev before = what->edge[i].before, after = what->edge[i].after;

		fr_assert(before < r->m->n && after < r->m->n);
		if (before == after || fr_mhb(r->c, after, before))
			return FR_WHY_ORDERED;
		for (uint32_t k = 0; k < what->npending; k++) {
			fr_ev p = what->pending[k];

			if (p == fr_head(r->m, before) || fr_mhb(r->c, p, before) ||
			    (!is_pending(r->m, what, after) && fr_mhb(r->c, p, after)))
				return FR_WHY_ORDERED;
		}
	}
	return FR_WHY_NONE;
}

/* Is the write of `sees` after a target, or must another write come between it and the read? */
static enum fr_reason test_sees(const struct fr_refuter *r, const struct fr_candidate *what)
{
	fr_ev w = what->sees.write, other = fr_sees_first(r->c, r->m, what), last = 0;

	for (uint32_t k = 0; k < what->npending; k++) {
		last = fr_max(last, what->pending[k]);
		if (w != FR_NO_EV &&
		    (what->pending[k] == fr_head(r->m, w) || fr_mhb(r->c, what->pending[k], w)))
			return FR_WHY_ORDERED;
	}
	for (unsigned n = 0; other < last && n < WRITES_MAX; n++) {
		for (uint32_t k = 0; k < what->npending; k++)
			if (other < what->pending[k] &&
			    past_of_pending(r->m, r->c, other, what->pending[k]) &&
			    fr_sees_hidden(r->c, r->m, what, other))
				return FR_WHY_ORDERED;
		other = fr_sees_from(r->c, r->m, what, other + 1);
	}
	return FR_WHY_NONE;
}

enum fr_reason fr_refuter_quick(struct fr_refuter *r, const struct fr_candidate *what)
{
	enum fr_reason why = test_pending(r, what);

	if (why == FR_WHY_NONE)
		why = test_edges(r, what);
	return why == FR_WHY_NONE && what->sees.on ? test_sees(r, what) : why;
}

enum fr_reason fr_refuter_required(struct fr_refuter *r, const struct fr_mask *mask,
				   const struct fr_candidate *what, bool far)
{
	return fr_required_hits(r->must, mask, what, far ? FAR : 0) ? FR_WHY_CYCLE : FR_WHY_NONE;
}

enum fr_reason fr_refuter_ask(struct fr_refuter *r, const struct fr_mask *mask,
			      const struct fr_candidate *what)
{
	enum fr_reason why = fr_refuter_quick(r, what);

	return why != FR_WHY_NONE ? why : fr_refuter_required(r, mask, what, true);
}
