/*
 * The order solver: see solve.h. For each candidate, the cheapest method first:
 *
 * 1. Forced orders (order_force.h), which exclude most infeasible candidates.
 * 2. A trial of the nodes that must be in, in recorded order as far as possible (order_trial.h).
 * 3. The same, with a short search by cases, in the last part of the segment only; the rest stays
 *    as recorded.
 * 4. A search by cases (order_cases.h), which ends with an answer if there is time.
 *
 * The tables, and the order that all candidates share, are made once for the segment.
 */
#include "oracle/solve_order.h"
#include "base/assert.h"
#include "base/term.h"
#include "oracle/order_cases.h"
#include "oracle/order_force.h"

#define NEAR 64		/* events between the first near cut and the first target */
#define NEAR_CASES 300u /* for each near cut */

struct fr_solver {
	struct fr_seg *s;
	struct fr_po base;
	struct fr_trial x;
	double deadline;
	uint64_t max_cases;
	bool is_part; /* holds a part of another solver's segment: only FR_FEASIBLE counts */
	struct fr_solver_stats stats;
};

static bool out_of_time(void *state)
{
	const struct fr_solver *v = state;

	return fr_now_s() > v->deadline;
}

/* Drops the frees that every reordering has after the accesses. Most are such. */
static void drop_implied(struct fr_seg *s, const struct fr_po *base)
{
	size_t n = 0;

	for (size_t i = 0; i < s->last.n; i++) {
		struct fr_seg_last *l = &s->last.v[i];

		fr_assert(l->pos.n);
		if (fr_po_le(base, fr_seg_at(s, l->thread, l->pos.v[l->pos.n - 1]), l->node))
			fr_vec_free(&l->pos);
		else
			s->last.v[n++] = *l;
	}
	s->last.n = n;
}

static struct fr_solver *solver_open(const struct fr_model *m, const struct fr_mask *mask,
				     fr_ev cut, fr_ev end)
{
	struct fr_solver *v = fr_xcalloc(1, sizeof(*v));

	v->s = fr_seg_new(m, mask, cut, end);
	fr_po_init(&v->base, v->s);
	fr_force_base(&v->base);
	drop_implied(v->s, &v->base);
	fr_trial_init(&v->x, v->s);
	v->max_cases = UINT64_MAX;
	return v;
}

static void solver_close(struct fr_solver *v)
{
	if (!v)
		return;
	fr_trial_destroy(&v->x);
	fr_po_destroy(&v->base);
	fr_seg_free(v->s);
	free(v);
}

static enum fr_answer search(struct fr_solver *v, struct fr_po *po)
{
	struct fr_cases b = {
	    .po = po, .x = &v->x, .limit = v->max_cases, .out_of_time = out_of_time, .arg = v};
	enum fr_answer answer = fr_cases_search(&b);

	v->stats.cases += b.cases;
	v->stats.restarts += b.restarts;
	v->stats.branched += answer != FR_UNKNOWN;
	return answer;
}

static void schedule(const struct fr_solver *v, struct fr_schedule *ret)
{
	fr_assert(!v->x.fault.n);
	ret->cut = v->s->cut;
	ret->step.n = 0;
	for (uint32_t i = 0; i < v->x.n; i++)
		fr_vec_push(&ret->step, v->s->head[v->x.order[i]]);
}

static enum fr_answer try_near_cuts(struct fr_solver *v, const struct fr_candidate *c,
				    struct fr_schedule *ret);

static enum fr_answer ask(struct fr_solver *v, const struct fr_candidate *c,
			  struct fr_schedule *ret)
{
	struct fr_seg_goal g;
	struct fr_po po;
	enum fr_answer answer = FR_INFEASIBLE;

	if (!fr_seg_goal(v->s, c, &g))
		return FR_INFEASIBLE;
	fr_po_copy(&po, &v->base);
	po.out_of_time = out_of_time;
	po.arg = v;
	if (!fr_force_goal(&po, &g)) {
		v->stats.forced++;
	} else if (out_of_time(v)) { /* fr_force may have ended early */
		answer = FR_UNKNOWN;
	} else {
		answer = fr_trial_run(&v->x, &po) ? FR_FEASIBLE : FR_UNKNOWN;
		v->stats.direct += answer == FR_FEASIBLE;
		if (answer == FR_FEASIBLE)
			schedule(v, ret);
		else if (!v->is_part)
			answer = try_near_cuts(v, c, ret);
		if (answer == FR_UNKNOWN) {
			answer = search(v, &po);
			if (answer == FR_FEASIBLE)
				schedule(v, ret);
		}
	}
	fr_po_destroy(&po);
	fr_seg_goal_free(&g);
	return answer;
}

/* Most feasible candidates need only the last part of the segment in another order, and few events
   after the targets. Tries that part, and larger and larger ones. */
static enum fr_answer try_near_cuts(struct fr_solver *v, const struct fr_candidate *c,
				    struct fr_schedule *ret)
{
	const struct fr_seg *s = v->s;
	enum fr_answer answer = FR_UNKNOWN;
	fr_ev base = s->end, last = 0;

	fr_assert(!v->is_part);
	for (uint32_t i = 0; i < c->npending; i++) {
		base = fr_min(base, c->pending[i]);
		last = fr_max(last, c->pending[i]);
	}
	for (uint32_t i = 0; i < c->nedges; i++) {
		base = fr_min(base, fr_min(c->edge[i].before, c->edge[i].after));
		last = fr_max(last, fr_max(c->edge[i].before, c->edge[i].after));
	}
	if (c->napart) /* nothing before this can be decided by the cut */
		base = fr_min(base, c->apart[0]);
	if (c->sees.on && c->sees.write == FR_NO_EV)
		return FR_UNKNOWN; /* the bytes may be written far before */
	if (c->sees.on) {
		base = fr_min(base, c->sees.write);
		last = fr_max(last, c->sees.write);
	}
	for (fr_ev span = NEAR; base > s->cut + 2 * span && answer != FR_FEASIBLE; span *= 4) {
		fr_ev end = s->end - last > 4 * span ? last + 4 * span : s->end;
		struct fr_solver *near = solver_open(s->m, s->mask, base - span, end);

		fr_assert(near->s->cut >= s->cut && near->s->end <= s->end);
		near->is_part = true;
		near->max_cases = fr_min(v->max_cases, (uint64_t)NEAR_CASES);
		near->deadline = v->deadline;
		answer = ask(near, c, ret);
		v->stats.near += answer == FR_FEASIBLE;
		v->stats.cases += near->stats.cases;
		solver_close(near);
		if (out_of_time(v))
			break;
	}
	return answer == FR_FEASIBLE ? FR_FEASIBLE : FR_UNKNOWN;
}

static enum fr_answer solver_ask(struct fr_solver *v, const struct fr_candidate *c, double seconds,
				 struct fr_schedule *ret)
{
	v->deadline = fr_now_s() + seconds;
	v->stats.asked++;
	return ask(v, c, ret);
}

const struct fr_solver_stats *fr_solver_order_stats(const struct fr_solver *v)
{
	return &v->stats;
}

const struct fr_solver_ops fr_solver_order = {
    .name = "order",
    .open = solver_open,
    .ask = solver_ask,
    .close = solver_close,
};
