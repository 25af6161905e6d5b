/*
 * The precise tier over Z3: see solve.h. It uses the papers' encoding: an integer for each step,
 * its position in the reordering, and all constraints of the segment at once (GPredict III,
 * ExceptioNULL 5). Steps before the position `end` are in. It is slow, and it shares only the
 * tables of the segment with the other solver: the tests compare their answers.
 *
 * This solver counts semaphores, where the other one matches units. A read takes the very last
 * write before it, where the other solver lets writes of the same value come between.
 */
#include "oracle/segment.h"
#include "base/assert.h"
#include "oracle/solve.h"
#include <stdlib.h>
#include <time.h>
#include <z3.h>

struct z3 {
	struct fr_seg *s;
	Z3_context z;
	Z3_solver solver;
	Z3_ast *at; /* position of each node */
	Z3_ast end;
	FR_VEC(Z3_ast) part; /* operands of the formula under construction */
};

static Z3_ast before(struct z3 *v, uint32_t a, uint32_t b)
{
	const struct fr_seg *s = v->s;

	if (a == FR_NODE_NONE || b == FR_SEG_CUT)
		return Z3_mk_false(v->z);
	if (b == FR_NODE_NONE || a == FR_SEG_CUT)
		return Z3_mk_true(v->z);
	fr_assert_slow(a < s->n && b < s->n);
	if (s->thread[a] == s->thread[b])
		return s->pos[a] < s->pos[b] ? Z3_mk_true(v->z) : Z3_mk_false(v->z);
	return Z3_mk_lt(v->z, v->at[a], v->at[b]);
}

static Z3_ast is_in(struct z3 *v, uint32_t a)
{
	return a == FR_SEG_CUT ? Z3_mk_true(v->z) : Z3_mk_lt(v->z, v->at[a], v->end);
}

static Z3_ast both(struct z3 *v, Z3_ast a, Z3_ast b)
{
	return Z3_mk_and(v->z, 2, (Z3_ast[]){a, b});
}

static Z3_ast either(struct z3 *v, Z3_ast a, Z3_ast b)
{
	return Z3_mk_or(v->z, 2, (Z3_ast[]){a, b});
}

/* Combines the parts from index `from` on, and removes them. */
static Z3_ast all(struct z3 *v, size_t from)
{
	Z3_ast r;

	fr_assert(from <= v->part.n);
	r = Z3_mk_and(v->z, (unsigned)(v->part.n - from), v->part.v + from);
	v->part.n = from;
	return r;
}

static Z3_ast any(struct z3 *v, size_t from)
{
	Z3_ast r;

	fr_assert(from <= v->part.n);
	r = Z3_mk_or(v->z, (unsigned)(v->part.n - from), v->part.v + from);
	v->part.n = from;
	return r;
}

static void demand(struct z3 *v, Z3_ast f)
{
	Z3_solver_assert(v->z, v->solver, f);
}

static void demand_if_in(struct z3 *v, uint32_t node, Z3_ast f)
{
	demand(v, Z3_mk_implies(v->z, is_in(v, node), f));
}

static Z3_ast fresh(struct z3 *v)
{
	return Z3_mk_fresh_const(v->z, "m", Z3_mk_bool_sort(v->z));
}

/* ---- the constraints ---- */

static void add_order(struct z3 *v)
{
	const struct fr_seg *s = v->s;

	for (uint32_t t = 0; t < s->nthreads; t++)
		for (uint32_t i = 1; i < fr_seg_len(s, t); i++)
			demand(v, Z3_mk_lt(v->z, v->at[fr_seg_at(s, t, i - 1)],
					   v->at[fr_seg_at(s, t, i)]));
	FR_VEC_FOREACH (e, &s->edge)
		demand(v, before(v, e->a, e->b));
	FR_VEC_FOREACH (a, &s->after) {
		FR_VEC_FOREACH (x, &a->any)
			fr_vec_push(&v->part, before(v, *x, a->node));
		demand_if_in(v, a->node, any(v, 0));
	}
}

static void add_locks(struct z3 *v)
{
	const struct fr_seg *s = v->s;

	for (size_t l = 0; l < s->lock.n; l++) {
		uint32_t from = s->lock.v[l].first[0], to = s->lock.v[l].first[s->nthreads];

		for (uint32_t i = from; i < to; i++) {
			for (uint32_t k = from; k < i; k++) {
				const struct fr_seg_section *a = &s->section.v[i],
							    *b = &s->section.v[k];

				if (a->thread == b->thread || (a->shared && b->shared))
					continue;
				demand(v, Z3_mk_implies(v->z,
							both(v, is_in(v, a->acq), is_in(v, b->acq)),
							either(v, before(v, a->rel, b->acq),
							       before(v, b->rel, a->acq))));
			}
		}
	}
	FR_VEC_FOREACH (f, &s->try) {
		const uint32_t *first = s->lock.v[f->lock].first;

		for (uint32_t i = first[0]; i < first[s->nthreads]; i++) {
			const struct fr_seg_section *a = &s->section.v[i];

			if (!f->shared || !a->shared)
				fr_vec_push(&v->part, both(v, before(v, a->acq, f->node),
							   before(v, f->node, a->rel)));
		}
		demand_if_in(v, f->node, any(v, 0));
	}
}

static void add_reads(struct z3 *v)
{
	const struct fr_seg *s = v->s;

	FR_VEC_FOREACH (r, &s->read) {
		const struct fr_seg_cell *c = &s->cell.v[r->cell];
		uint32_t from = c->wfirst[0], to = c->wfirst[s->nthreads];
		Z3_ast x;

		for (uint32_t w = from; w < to; w++) {
			uint32_t n = s->write.v[w].node;
			size_t first = v->part.n;

			if (!fr_seg_good(s, r, w) || n == r->node ||
			    (s->thread[n] == s->thread[r->node] && n > r->node))
				continue;
			fr_vec_push(&v->part, before(v, n, r->node));
			for (uint32_t k = from; k < to; k++) {
				uint32_t b = s->write.v[k].node;

				if (k == w || b == r->node)
					continue;
				fr_vec_push(&v->part,
					    either(v, before(v, b, n), before(v, r->node, b)));
			}
			x = all(v, first);
			fr_vec_push(&v->part, x);
		}
		if (r->cut_ok) {
			size_t first = v->part.n;

			for (uint32_t k = from; k < to; k++)
				if (s->write.v[k].node != r->node)
					fr_vec_push(&v->part,
						    before(v, r->node, s->write.v[k].node));
			x = all(v, first);
			fr_vec_push(&v->part, x);
		}
		demand_if_in(v, r->node, any(v, 0));
	}
}

/* Compares the count before the node with 0 (zero) or 1 and more: initial count + posts - waits, as
   a sum of Booleans. */
static Z3_ast compare_count(struct z3 *v, const struct fr_seg_sem *c, uint32_t node, bool zero)
{
	unsigned n = (unsigned)(c->post.n + c->wait.n), k = 0;
	Z3_ast *arg = fr_xmalloc((n + 1) * sizeof(*arg)), r;
	int *coeff = fr_xmalloc((n + 1) * sizeof(*coeff));
	int rest = (int)fr_min(c->count, (uint32_t)INT32_MAX / 2);

	FR_VEC_FOREACH (p, &c->post) {
		coeff[k] = 1;
		arg[k++] = before(v, *p, node);
	}
	FR_VEC_FOREACH (w, &c->wait) {
		coeff[k] = -1;
		arg[k++] = *w == node ? Z3_mk_false(v->z) : before(v, *w, node);
	}
	fr_assert(k == n);
	r = zero ? Z3_mk_pbeq(v->z, n, arg, coeff, -rest)
		 : Z3_mk_pbge(v->z, n, arg, coeff, 1 - rest);
	free(arg);
	free(coeff);
	return r;
}

static void add_sems(struct z3 *v)
{
	FR_VEC_FOREACH (c, &v->s->sem) {
		/* Operations of one semaphore at one position would both see the old count. */
		for (int k = 0; k < 2; k++) {
			FR_VEC_FOREACH (w, &c->wait)
				FR_VEC_FOREACH (x, k ? &c->failed : &c->wait)
					if (*x != *w)
						demand(v, either(v, before(v, *x, *w),
								 before(v, *w, *x)));
		}
		FR_VEC_FOREACH (w, &c->wait)
			demand_if_in(v, *w, compare_count(v, c, *w, false));
		FR_VEC_FOREACH (f, &c->failed) {
			FR_VEC_FOREACH (x, &c->post)
				demand(v, either(v, before(v, *x, *f), before(v, *f, *x)));
			demand_if_in(v, *f, compare_count(v, c, *f, true));
		}
	}
}

static void add_conds(struct z3 *v)
{
	FR_VEC_FOREACH (c, &v->s->cond) {
		Z3_ast *take = fr_xmalloc((c->wait.n * c->signal.n + 1) * sizeof(*take));

		for (size_t w = 0; w < c->wait.n; w++) {
			const struct fr_seg_wait *x = &c->wait.v[w];

			for (size_t g = 0; g < c->signal.n; g++) {
				const struct fr_seg_signal *y = &c->signal.v[g];
				Z3_ast m = take[w * c->signal.n + g] = fresh(v);
				Z3_ast ok = Z3_mk_false(v->z);

				if (!fr_seg_serves(y, x))
					;
				else if (y->node == FR_SEG_CUT)
					ok = Z3_mk_true(v->z);
				else
					ok = both(v, before(v, x->begin, y->node),
						  before(v, y->node, x->node));
				demand(v, Z3_mk_implies(v->z, m, ok));
				fr_vec_push(&v->part, m);
			}
			demand_if_in(v, x->node, any(v, 0));
		}
		for (size_t g = 0; g < c->signal.n; g++) {
			for (size_t w = 0; w < c->wait.n; w++)
				fr_vec_push(&v->part, take[w * c->signal.n + g]);
			if (!c->signal.v[g].broadcast && v->part.n > 1)
				demand(v, Z3_mk_atmost(v->z, (unsigned)v->part.n, v->part.v, 1));
			v->part.n = 0;
		}
		free(take);
	}
}

static void add_last(struct z3 *v, const struct fr_seg_last *l)
{
	FR_VEC_FOREACH (p, &l->pos) {
		uint32_t x = fr_seg_at(v->s, l->thread, *p);

		demand_if_in(v, l->node,
			     either(v, before(v, x, l->node), Z3_mk_not(v->z, is_in(v, x))));
	}
}

/* ---- the interface ---- */

/* Z3 is C++: its `new` calls this handler when there is no memory. */
extern void (*set_new_handler(void (*f)(void)))(void) __asm__("_ZSt15set_new_handlerPFvvE");
/* Called for an uncaught exception: Z3 throws one if it gets no thread for its timer. */
extern void (*set_terminate(void (*f)(void)))(void) __asm__("_ZSt13set_terminatePFvvE");

/* Z3's default handler would end the process. */
static void on_error(Z3_context z, Z3_error_code e)
{
	(void)z;
	if (e == Z3_MEMOUT_FAIL)
		fr_mem_exhausted();
}

static struct fr_solver *solver_open(const struct fr_model *m, const struct fr_mask *mask,
				     fr_ev cut, fr_ev end)
{
	struct z3 *v = fr_xcalloc(1, sizeof(*v));
	Z3_config config;
	Z3_sort sort;

	set_new_handler(fr_mem_exhausted);
	set_terminate(fr_mem_exhausted);
	config = Z3_mk_config();
	v->s = fr_seg_new(m, mask, cut, end);
	v->z = Z3_mk_context(config);
	Z3_del_config(config);
	if (!v->z)
		fr_mem_exhausted();
	Z3_set_error_handler(v->z, on_error);
	v->solver = Z3_mk_simple_solver(v->z);
	Z3_solver_inc_ref(v->z, v->solver);
	sort = Z3_mk_int_sort(v->z);
	v->at = fr_xmalloc(((size_t)v->s->n + 1) * sizeof(*v->at));
	for (uint32_t i = 0; i < v->s->n; i++)
		v->at[i] = Z3_mk_const(v->z, Z3_mk_int_symbol(v->z, (int)i), sort);
	v->end = Z3_mk_const(v->z, Z3_mk_string_symbol(v->z, "end"), sort);
	add_order(v);
	add_locks(v);
	add_reads(v);
	add_sems(v);
	add_conds(v);
	FR_VEC_FOREACH (l, &v->s->last)
		add_last(v, l);
	fr_assert(!v->part.n); /* every formula was completed */
	return (struct fr_solver *)v;
}

static void solver_close(struct fr_solver *solver)
{
	struct z3 *v = (struct z3 *)solver;

	if (!v)
		return;
	Z3_solver_dec_ref(v->z, v->solver);
	Z3_del_context(v->z);
	fr_vec_free(&v->part);
	free(v->at);
	fr_seg_free(v->s);
	free(v);
}

static void set_timeout(struct z3 *v, double seconds)
{
	Z3_params p = Z3_mk_params(v->z);
	double ms = seconds * 1000;

	Z3_params_inc_ref(v->z, p);
	Z3_params_set_uint(v->z, p, Z3_mk_string_symbol(v->z, "timeout"),
			   ms < 1 ? 1 : (unsigned)fr_min(ms, 4e9));
	Z3_solver_set_params(v->z, v->solver, p);
	Z3_params_dec_ref(v->z, p);
}

struct placed {
	int64_t at;
	uint32_t node;
};

static int compare_placed(const void *pa, const void *pb)
{
	const struct placed *a = pa, *b = pb;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

static int64_t value(struct z3 *v, Z3_model m, Z3_ast x)
{
	Z3_ast r = NULL;
	int64_t n = 0;

	if (Z3_model_eval(v->z, m, x, true, &r))
		Z3_get_numeral_int64(v->z, r, &n);
	return n;
}

static void read_schedule(struct z3 *v, struct fr_schedule *ret)
{
	Z3_model m = Z3_solver_get_model(v->z, v->solver);
	FR_VEC(struct placed) in = {0};
	int64_t end;

	Z3_model_inc_ref(v->z, m);
	end = value(v, m, v->end);
	for (uint32_t i = 0; i < v->s->n; i++) {
		int64_t at = value(v, m, v->at[i]);

		if (at < end)
			fr_vec_push(&in, (struct placed){at, i});
	}
	Z3_model_dec_ref(v->z, m);
	if (in.n)
		qsort(in.v, in.n, sizeof(*in.v), compare_placed);
	ret->cut = v->s->cut;
	ret->step.n = 0;
	FR_VEC_FOREACH (p, &in)
		fr_vec_push(&ret->step, v->s->head[p->node]);
	fr_vec_free(&in);
}

static enum fr_answer solver_ask(struct fr_solver *solver, const struct fr_candidate *c,
				 double seconds, struct fr_schedule *ret)
{
	struct z3 *v = (struct z3 *)solver;
	const struct fr_seg *s = v->s;
	struct fr_seg_goal g;
	Z3_lbool r;

	if (!fr_seg_goal(s, c, &g))
		return FR_INFEASIBLE;
	Z3_solver_push(v->z, v->solver);
	for (uint32_t t = 0; t < s->nthreads; t++) {
		if (g.lo[t])
			demand(v, is_in(v, fr_seg_at(s, t, g.lo[t] - 1)));
		if (g.hi[t] < fr_seg_len(s, t))
			demand(v, Z3_mk_not(v->z, is_in(v, fr_seg_at(s, t, g.hi[t]))));
	}
	for (uint32_t i = 0; i < g.nedges; i++)
		demand(v, before(v, g.edge[i].a, g.edge[i].b));
	FR_VEC_FOREACH (l, &g.last)
		add_last(v, l);
	set_timeout(v, seconds);
	r = Z3_solver_check(v->z, v->solver);
	if (r == Z3_L_TRUE)
		read_schedule(v, ret);
	Z3_solver_pop(v->z, v->solver, 1);
	fr_seg_goal_free(&g);
	return r == Z3_L_TRUE ? FR_FEASIBLE : r == Z3_L_FALSE ? FR_INFEASIBLE : FR_UNKNOWN;
}

const struct fr_solver_ops fr_solver_z3 = {
    .name = "z3",
    .open = solver_open,
    .ask = solver_ask,
    .close = solver_close,
};
