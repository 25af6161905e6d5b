/*
 * The precise tier over CaDiCaL: see solve.h. For each candidate, the cheapest method first:
 *
 * 1. Forced orders (order_force.h), which refute most infeasible candidates.
 * 2. A trial of the nodes that must be in, in recorded order as far as possible (order_trial.h).
 * 3. The same, with a short search by cases, in the last part of the segment only; the rest stays
 *    as recorded. Then a search by cases for a share of the time (order_cases.h).
 * 4. Rounds of: clauses for the faults of the trial (order_enc.h), a model from CaDiCaL, a trial of
 *    the model. They end when a trial has no fault or the clauses are unsatisfiable. Cycles
 *    (order_cycle.c) and incompatible choices (order_core.h) become clauses when they appear.
 *
 * The tables, and the order that all candidates share, are made once for the segment.
 */
#include "oracle/solve_cadical.h"
#include "base/assert.h"
#include "oracle/order_cases.h"
#include "oracle/order_core.h"
#include "oracle/order_force.h"
#include <time.h>

#define SHARE 0.85	/* of the time, for the search by cases */
#define LATE 64		/* events between the first late cut and the first target */
#define LATE_CASES 300u /* for each late cut */

struct fr_solver {
	struct fr_seg *s;
	struct fr_po base;
	struct fr_trial x;
	double deadline, cases_deadline;
	uint64_t max_cases;
	bool short_try; /* for a part of a segment: only cases, and only FR_FEASIBLE counts */
	struct fr_solver_stats stats;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int is_late(void *state)
{
	const struct fr_solver *s = state;

	return now() > s->deadline;
}

static struct fr_solver *solver_open(const struct fr_model *m, fr_ev cut, fr_ev end)
{
	struct fr_solver *v = fr_xcalloc(1, sizeof(*v));

	v->s = fr_seg_new(m, cut, end);
	fr_po_init(&v->base, v->s);
	fr_force_base(&v->base);
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

/* Adds the candidate to the partial order. */
static bool restrict_to(struct fr_po *po, const struct fr_seg_goal *g)
{
	for (uint32_t t = 0; t < po->s->nthreads; t++) {
		fr_assert(!po->lo[t]); /* no node is in for every candidate */
		po->lo[t] = g->lo[t];
		po->hi[t] = fr_min(po->hi[t], g->hi[t]);
	}
	for (uint32_t i = 0; i < g->nedges; i++)
		if (!fr_po_add(po, g->edge[i].a, g->edge[i].b))
			return false;
	return fr_force(po);
}

static bool is_cases_late(void *state)
{
	const struct fr_solver *v = state;

	return now() > v->cases_deadline;
}

static bool is_late_bool(void *state)
{
	return is_late(state);
}

/* Reads the model and tries it. FR_UNKNOWN: it failed, and the next round adds clauses. */
static enum fr_answer try_model(struct fr_solver *v, struct fr_core *c)
{
	struct fr_trial *x = &v->x;
	enum fr_answer answer = FR_UNKNOWN;

	fr_enc_model(c->e, x);
	x->fault.n = 0;
	if (!fr_trial_sort(x, c->po, c->e->edge.v, c->e->edge.n)) {
		v->stats.cyclic++;
		fr_enc_cycles(c->e, x);
		return FR_UNKNOWN;
	}
	if (!fr_core_try(c))
		return FR_UNKNOWN;
	for (uint32_t t = 0; t < v->s->nthreads; t++)
		x->count[t] = c->po->lo[t];
	if (fr_trial_sort(x, c->po, NULL, 0) && fr_trial_check(x))
		answer = FR_FEASIBLE;
	fr_core_undo(c);
	return answer;
}

static enum fr_answer search(struct fr_solver *v, struct fr_po *po)
{
	struct fr_enc e;
	struct fr_core c = {.e = &e, .po = po, .is_late = is_late_bool, .arg = v};
	enum fr_answer answer = FR_UNKNOWN;

	fr_enc_init(&e, v->s, po);
	ccadical_set_terminate(e.sat, v, is_late);
	while (answer == FR_UNKNOWN && !is_late(v)) {
		uint64_t before = e.nclauses + e.nlemmas;
		int r;

		v->stats.rounds++;
		v->stats.faults += v->x.fault.n;
		for (size_t i = 0; i < v->x.fault.n && !is_late(v); i++)
			fr_enc_fault(&e, &v->x.fault.v[i], &v->x);
		if (is_late(v))
			break;
		fr_assert(v->stats.rounds > 1 || e.nclauses + e.nlemmas > before);
		r = e.contradiction ? 20 : ccadical_solve(e.sat);
		fr_assert(r == 0 || r == 10 || r == 20);
		if (r != 10) {
			answer = r == 20 ? FR_INFEASIBLE : FR_UNKNOWN;
			break;
		}
		answer = try_model(v, &c);
	}
	v->stats.cores += c.cores;
	v->stats.checks += c.checks;
	v->stats.variables += (uint64_t)e.nvars;
	v->stats.clauses += e.nclauses;
	v->stats.lemmas += e.nlemmas;
	fr_core_destroy(&c);
	fr_enc_destroy(&e);
	return answer;
}

/* Searches by cases first. The orders that it finds for every case also help the clauses. */
static enum fr_answer decide(struct fr_solver *v, struct fr_po *po)
{
	struct fr_cases b = {
	    .po = po, .x = &v->x, .limit = v->max_cases, .is_late = is_cases_late, .arg = v};
	enum fr_answer answer = fr_cases_search(&b);

	v->stats.cases += b.cases;
	v->stats.restarts += b.restarts;
	v->stats.branched += answer != FR_UNKNOWN;
	if (answer != FR_UNKNOWN || is_late(v) || v->short_try)
		return answer;
	po->is_late = is_late_bool;
	po->forced = false; /* fr_force may have ended early */
	if (!fr_force(po))
		return FR_INFEASIBLE;
	for (uint32_t t = 0; t < v->s->nthreads; t++)
		v->x.count[t] = po->lo[t];
	fr_trial_sort(&v->x, po, NULL, 0);
	return fr_trial_check(&v->x) ? FR_FEASIBLE : search(v, po);
}

static void schedule(const struct fr_solver *v, struct fr_schedule *ret)
{
	ret->cut = v->s->cut;
	ret->step.n = 0;
	for (uint32_t i = 0; i < v->x.n; i++)
		fr_vec_push(&ret->step, v->s->head[v->x.order[i]]);
}

static enum fr_answer try_late_cuts(struct fr_solver *v, const struct fr_candidate *c,
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
	po.is_late = is_cases_late;
	po.arg = v;
	if (restrict_to(&po, &g)) {
		for (uint32_t t = 0; t < v->s->nthreads; t++)
			v->x.count[t] = po.lo[t];
		fr_trial_sort(&v->x, &po, NULL, 0);
		answer = fr_trial_check(&v->x) ? FR_FEASIBLE : FR_UNKNOWN;
		v->stats.direct += answer == FR_FEASIBLE;
		if (answer == FR_FEASIBLE)
			schedule(v, ret);
		else if (!v->short_try)
			answer = try_late_cuts(v, c, ret);
		if (answer == FR_UNKNOWN) {
			answer = decide(v, &po);
			if (answer == FR_FEASIBLE)
				schedule(v, ret);
		}
	} else {
		v->stats.forced++;
	}
	fr_po_destroy(&po);
	fr_seg_goal_free(&g);
	return answer;
}

static fr_ev later(fr_ev a, fr_ev b)
{
	return a > b ? a : b;
}

/* Most feasible candidates need only the last part of the segment in another order, and few events
   after the targets. Tries that part, and larger and larger ones. */
static enum fr_answer try_late_cuts(struct fr_solver *v, const struct fr_candidate *c,
				    struct fr_schedule *ret)
{
	const struct fr_seg *s = v->s;
	enum fr_answer answer = FR_UNKNOWN;
	fr_ev base = s->end, last = 0;

	fr_assert(!v->short_try);
	for (uint32_t i = 0; i < c->npending; i++) {
		base = fr_min(base, c->pending[i]);
		last = later(last, c->pending[i]);
	}
	for (uint32_t i = 0; i < c->nedges; i++) {
		base = fr_min(base, fr_min(c->edge[i].before, c->edge[i].after));
		last = later(last, later(c->edge[i].before, c->edge[i].after));
	}
	for (fr_ev span = LATE; base > s->cut + 2 * span && answer != FR_FEASIBLE; span *= 4) {
		fr_ev end = s->end - last > 4 * span ? last + 4 * span : s->end;
		struct fr_solver *late = solver_open(s->m, base - span, end);

		late->short_try = true;
		late->max_cases = fr_min(v->max_cases, (uint64_t)LATE_CASES);
		late->deadline = v->deadline;
		late->cases_deadline = v->cases_deadline;
		answer = ask(late, c, ret);
		v->stats.late += answer == FR_FEASIBLE;
		v->stats.cases += late->stats.cases;
		solver_close(late);
		if (is_late(v))
			break;
	}
	return answer == FR_FEASIBLE ? FR_FEASIBLE : FR_UNKNOWN;
}

static enum fr_answer solver_ask(struct fr_solver *v, const struct fr_candidate *c, double seconds,
				 struct fr_schedule *ret)
{
	double start = now();

	v->deadline = start + seconds;
	v->cases_deadline = start + seconds * SHARE;
	v->stats.asked++;
	return ask(v, c, ret);
}

const struct fr_solver_stats *fr_solver_cadical_stats(const struct fr_solver *v)
{
	return &v->stats;
}

void fr_solver_cadical_cases(struct fr_solver *v, uint64_t max)
{
	v->max_cases = max;
}

const struct fr_solver_ops fr_solver_cadical = {
    .name = "cadical",
    .open = solver_open,
    .ask = solver_ask,
    .close = solver_close,
};
