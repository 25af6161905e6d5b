/*
 * The relaxed tier: see order_relax.h. A *suspect* is a READ that the segment can make return
 * another value. The order solver decides the candidate with some suspects exempt: these may return
 * anything.
 *
 * A core is a set of suspects that cannot all return their recorded values. Every solution exempts
 * one suspect of each core. So the search takes a core that no exempt suspect is in, and exempts
 * its suspects one after the other, for k = 1, 2, ... suspects in all. A core stays a core, so all
 * cores are kept, and a larger k repeats no work. QuickXplain makes a core minimal: it halves the
 * set again and again, and keeps a half if the rest can be satisfied without it. Forced orders
 * mostly refute a set by themselves; then they alone make the core.
 *
 * Invariant: the smallest k is exact, unless time or cases run out for a smaller one.
 */
#include "oracle/order_relax.h"
#include "base/assert.h"
#include "base/term.h"
#include "oracle/order_cases.h"
#include "oracle/order_force.h"
#include <string.h>

#define CASES 300u     /* for each set of exempt suspects */
#define CORES_MAX 1000 /* for one candidate */

/* A set of suspects, ascending. */
struct relax_suspects {
	uint32_t *v;
	size_t n, cap;
};

struct fr_relax {
	struct fr_seg *s;
	struct fr_po base; /* the order that holds even if no read returns its recorded value */
	struct fr_trial x;
	bool *exempt;	   /* by read of the segment: argument of the next question */
	uint32_t *suspect; /* by read of the segment */
	FR_VEC(fr_ev) ev;  /* by suspect */
	bool *fixed;	   /* by suspect: never exempt */
	/* State of one candidate. */
	const struct fr_seg_goal *goal;
	double deadline;
	bool *out, *kept; /* by suspect: exempt; not to be exempted in this branch */
	FR_VEC(struct relax_suspects) core;
	bool unsure; /* some question stayed open */
	uint64_t calls;
};

static bool out_of_time(void *state)
{
	const struct fr_relax *r = state;

	return fr_now_s() > r->deadline;
}

static int by_number(const void *a, const void *b)
{
	fr_ev x = *(const fr_ev *)a, y = *(const fr_ev *)b;

	return (x > y) - (x < y);
}

static void find_units(struct fr_relax *r)
{
	const struct fr_seg *s = r->s;
	size_t n = 0;

	FR_VEC_FOREACH (x, &s->read)
		fr_vec_push(&r->ev, x->ev);
	if (r->ev.n)
		qsort(r->ev.v, r->ev.n, sizeof(*r->ev.v), by_number);
	for (size_t i = 0; i < r->ev.n; i++)
		if (!n || r->ev.v[n - 1] != r->ev.v[i])
			r->ev.v[n++] = r->ev.v[i];
	r->ev.n = n;
	r->suspect = fr_xmalloc((s->read.n + 1) * sizeof(*r->suspect));
	for (size_t i = 0; i < s->read.n; i++) {
		r->suspect[i] = (uint32_t)fr_bisect(n, k, r->ev.v[k] < s->read.v[i].ev);
		fr_assert(r->suspect[i] < n && r->ev.v[r->suspect[i]] == s->read.v[i].ev);
	}
}

struct fr_relax *fr_relax_open(const struct fr_model *m, const struct fr_mask *mask, fr_ev cut,
			       fr_ev end)
{
	struct fr_relax *r = fr_xcalloc(1, sizeof(*r));

	r->s = fr_seg_new(m, mask, cut, end);
	find_units(r);
	r->exempt = fr_xmalloc(r->s->read.n + 1);
	memset(r->exempt, true, r->s->read.n + 1);
	r->out = fr_xcalloc(r->ev.n + 1, 1);
	r->kept = fr_xcalloc(r->ev.n + 1, 1);
	r->fixed = fr_xcalloc(r->ev.n + 1, 1);
	fr_po_init(&r->base, r->s);
	r->base.exempt = r->exempt;
	fr_force_base(&r->base);
	fr_trial_init(&r->x, r->s);
	return r;
}

void fr_relax_close(struct fr_relax *r)
{
	if (!r)
		return;
	fr_trial_destroy(&r->x);
	fr_po_destroy(&r->base);
	fr_vec_free(&r->ev);
	fr_vec_free(&r->core);
	free(r->exempt);
	free(r->suspect);
	free(r->out);
	free(r->kept);
	free(r->fixed);
	fr_seg_free(r->s);
	free(r);
}

uint64_t fr_relax_calls(const struct fr_relax *r)
{
	return r->calls;
}

/* ---- the questions to the order solver ---- */

/* Is there an order if exactly the exempt reads may return anything? `deep`: with a search, not by
   forced orders alone. */
static enum fr_answer decide(struct fr_relax *r, bool deep)
{
	struct fr_po po;
	enum fr_answer a;

	fr_assert(r->goal);
	r->calls++;
	fr_po_copy(&po, &r->base);
	po.exempt = r->exempt;
	po.out_of_time = out_of_time;
	po.arg = r;
	if (!fr_force_goal(&po, r->goal)) {
		a = FR_INFEASIBLE;
	} else if (!deep || out_of_time(r)) {
		a = FR_UNKNOWN;
	} else if (fr_trial_run(&r->x, &po)) {
		a = FR_FEASIBLE;
	} else {
		struct fr_cases b = {
		    .po = &po, .x = &r->x, .limit = CASES, .out_of_time = out_of_time, .arg = r};

		a = fr_cases_search(&b);
	}
	fr_po_destroy(&po);
	return a;
}

static void set_exempt(struct fr_relax *r, const bool *out)
{
	for (size_t i = 0; i < r->s->read.n; i++)
		r->exempt[i] = out[r->suspect[i]];
}

/* ---- cores ---- */

struct explain {
	struct fr_relax *r;
	bool *hard; /* by suspect */
	bool deep;
};

/* Can the hard suspects alone not all return their recorded values? */
static bool refutes(const struct explain *e)
{
	struct fr_relax *r = e->r;

	for (size_t i = 0; i < r->s->read.n; i++)
		r->exempt[i] = !e->hard[r->suspect[i]];
	return decide(r, e->deep) == FR_INFEASIBLE;
}

/* Removes suspects from u that are not needed to refute, given those that are hard already. */
static void explain(struct explain *e, struct relax_suspects *u, bool changed)
{
	struct relax_suspects a = {0}, b = {0};
	size_t half = u->n / 2;

	if (changed && refutes(e)) {
		u->n = 0;
		return;
	}
	if (u->n <= 1)
		return;
	for (size_t i = 0; i < u->n; i++) {
		if (i < half)
			fr_vec_push(&a, u->v[i]);
		else
			fr_vec_push(&b, u->v[i]);
	}
	FR_VEC_FOREACH (i, &a)
		e->hard[*i] = true;
	explain(e, &b, true);
	FR_VEC_FOREACH (i, &a)
		e->hard[*i] = false;
	FR_VEC_FOREACH (i, &b)
		e->hard[*i] = true;
	explain(e, &a, b.n > 0);
	FR_VEC_FOREACH (i, &b)
		e->hard[*i] = false;
	u->n = 0;
	FR_VEC_FOREACH (i, &a)
		fr_vec_push(u, *i);
	FR_VEC_FOREACH (i, &b)
		fr_vec_push(u, *i);
	fr_vec_free(&a);
	fr_vec_free(&b);
}

/* Finds a core among the suspects that are not exempt: they refute the candidate. It is empty if no
   exemption helps. */
static const struct relax_suspects *find_core(struct fr_relax *r)
{
	struct explain e = {.r = r, .hard = fr_xcalloc(r->ev.n + 1, 1)};
	struct relax_suspects u = {0};

	fr_assert(r->core.n < CORES_MAX);
	set_exempt(r, r->out);
	e.deep = decide(r, false) != FR_INFEASIBLE;
	for (uint32_t i = 0; i < r->ev.n; i++)
		if (!r->out[i])
			fr_vec_push(&u, i);
	explain(&e, &u, true);
	free(e.hard);
	fr_vec_push(&r->core, u);
	return &r->core.v[r->core.n - 1];
}

/* Returns a known core without an exempt suspect, or NULL. */
static const struct relax_suspects *known_core(const struct fr_relax *r)
{
	FR_VEC_FOREACH (c, &r->core) {
		bool hit = false;

		FR_VEC_FOREACH (u, c)
			hit |= r->out[*u];
		if (!hit)
			return c;
	}
	return NULL;
}

/* ---- the search ---- */

/* Exempts up to `left` more suspects. On success, `out` has the exempt ones. */
static bool search(struct fr_relax *r, uint32_t left)
{
	const struct relax_suspects *core = known_core(r);
	struct relax_suspects u = {0};
	bool found = false;

	if (!core) {
		enum fr_answer a;

		set_exempt(r, r->out);
		a = decide(r, true);
		if (a == FR_FEASIBLE)
			return true;
		r->unsure |= a == FR_UNKNOWN;
		if (a == FR_UNKNOWN || r->core.n == CORES_MAX)
			return false;
		core = find_core(r);
	}
	FR_VEC_FOREACH (i, core)
		fr_assert(!r->out[*i]);
	FR_VEC_FOREACH (i, core) /* the list of cores may move */
		fr_vec_push(&u, *i);
	for (size_t i = 0; i < u.n && left && !found && !out_of_time(r); i++) {
		if (r->kept[u.v[i]] || r->fixed[u.v[i]])
			continue;
		r->out[u.v[i]] = true;
		found = search(r, left - 1);
		r->out[u.v[i]] = found;
		r->kept[u.v[i]] = !found; /* the other branches need not try it again */
	}
	for (size_t i = 0; i < u.n; i++)
		r->kept[u.v[i]] = false;
	fr_vec_free(&u);
	return found;
}

void fr_relax_fix(struct fr_relax *r, const fr_ev *read, uint32_t n)
{
	memset(r->fixed, false, r->ev.n + 1);
	for (uint32_t i = 0; i < n; i++) {
		size_t u = fr_bisect(r->ev.n, k, r->ev.v[k] < read[i]);

		if (u < r->ev.n && r->ev.v[u] == read[i]) /* others return their values anyway */
			r->fixed[u] = true;
	}
}

static void store(const struct fr_relax *r, fr_ev *ret_read, uint32_t *ret_n,
		  struct fr_schedule *ret)
{
	*ret_n = 0;
	fr_assert(!r->x.fault.n);
	for (uint32_t i = 0; i < r->ev.n; i++)
		if (r->out[i]) {
			fr_assert(!r->fixed[i]);
			ret_read[(*ret_n)++] = r->ev.v[i];
		}
	fr_assert(*ret_n <= FR_RELAX_MAX);
	ret->cut = r->s->cut;
	ret->step.n = 0;
	for (uint32_t i = 0; i < r->x.n; i++)
		fr_vec_push(&ret->step, r->s->head[r->x.order[i]]);
}

enum fr_answer fr_relax_ask(struct fr_relax *r, const struct fr_candidate *c, uint32_t max,
			    double seconds, fr_ev ret_read[FR_RELAX_MAX], uint32_t *ret_n,
			    struct fr_schedule *ret)
{
	struct fr_seg_goal g;
	bool found = false;

	fr_assert(max <= FR_RELAX_MAX && !r->core.n);
	if (!fr_seg_goal(r->s, c, &g))
		return FR_INFEASIBLE;
	r->goal = &g;
	r->deadline = fr_now_s() + seconds;
	r->unsure = false;
	memset(r->out, false, r->ev.n + 1);
	for (uint32_t k = 0; k <= max && !found && !out_of_time(r); k++) {
		found = search(r, k);
		if (!found && r->core.n && !r->core.v[r->core.n - 1].n)
			break; /* no exemption helps */
	}
	if (found)
		store(r, ret_read, ret_n, ret);
	fr_assert(!found || *ret_n <= max);
	r->unsure |= out_of_time(r);
	FR_VEC_FOREACH (u, &r->core)
		fr_vec_free(u);
	r->core.n = 0;
	fr_seg_goal_free(&g);
	return found ? FR_FEASIBLE : r->unsure ? FR_UNKNOWN : FR_INFEASIBLE;
}
