/*
 * Two nested loops, recorded when the outer one is left (option nests): as one event for each
 * access if its addresses form one, else as the runtime finds best (frt_h_nest in
 * runtime/core/rt_nest.c).
 *
 * Conditions beyond those of loop.c: the inner loop has one exit, which it takes when its variable
 * reaches a bound; start, step and bound do not change in the outer loop; every access of both
 * qualifies; no small access stays at one address.
 */
#include "loop.h"
#include "base/assert.h"
#include "format/hook_abi.h"

struct nest_entry {
	struct fr_sum sum; /* in the outer loop, for the inner loop's first iteration */
	int64_t stride;	   /* in the outer loop */
	bool constant;
	const struct fr_stride *in;	   /* event of the inner loop, or NULL: */
	const struct fr_loop_access *item; /* access of the outer loop */
	const struct fr_guard *guard;
	unsigned last;
};

struct loop_nest {
	struct fr_loop *outer, inner;
	struct fr_loop_access group;   /* the inner loop as a whole, in the outer one */
	const struct fr_iv *iv;	       /* counts the inner loop */
	LLVMValueRef bound;	       /* the inner loop ends here */
	FR_VEC(struct nest_entry) all; /* in the order of the body */
	size_t from, to;	       /* entries of the inner loop */
};

/* The inner loop must end when iv->next is the bound. */
static bool find_trip(struct loop_nest *n)
{
	const struct fr_exit *e = &n->inner.plan.exits.v[0];
	LLVMValueRef term = LLVMGetBasicBlockTerminator(n->inner.cfg->block[e->from]);
	LLVMValueRef cond = LLVMGetCondition(term);

	if (n->inner.plan.exits.n != 1 ||
	    !fr_loop_has(n->outer->l, fr_cfg_number(n->inner.cfg, e->to)))
		return false;
	if (!LLVMIsAICmpInst(cond) ||
	    LLVMGetICmpPredicate(cond) != (e->edge ? LLVMIntNE : LLVMIntEQ))
		return false;
	FR_VEC_FOREACH (iv, &n->inner.ivs.iv) {
		unsigned other = LLVMGetOperand(cond, 0) == iv->next ? 1 : 0;

		if (LLVMGetOperand(cond, !other) != iv->next || iv->narrow || iv->by || !iv->step ||
		    iv->step > INT32_MAX || iv->step < -INT32_MAX)
			continue;
		n->bound = LLVMGetOperand(cond, other);
		n->iv = iv;
		return fr_invariant(&n->outer->ivs, n->bound) &&
		       fr_invariant(&n->outer->ivs, iv->start);
	}
	return false;
}

/* True if the inner event grows by the same amount in every iteration of the outer loop. */
static bool steady(struct loop_nest *n, const struct fr_stride *s)
{
	struct fr_ivs *outer = &n->outer->ivs;

	for (unsigned i = 0; i < s->sum.n; i++) {
		const struct fr_iv *iv = fr_iv_of(&n->inner.ivs, s->sum.t[i].v);

		if (!iv)
			continue;
		if (iv->by && !fr_invariant(outer, iv->by))
			return false;
		if (s->sum.t[i].mul && !fr_invariant(outer, s->sum.t[i].mul))
			return false;
	}
	return true;
}

/* An inner sum in its first iteration, as a sum of the outer loop. */
static bool compose(struct loop_nest *n, const struct fr_sum *in, struct fr_sum *ret)
{
	struct fr_ivs *outer = &n->outer->ivs;
	struct fr_sum s = {.c = in->c};

	for (unsigned i = 0; i < in->n; i++) {
		const struct fr_term *t = &in->t[i];
		const struct fr_iv *iv = fr_iv_of(&n->inner.ivs, t->v);
		LLVMValueRef v = iv ? iv->start : t->v;
		struct fr_sum part = {0};
		int64_t k;

		if (fr_constant(v, &k) && !k)
			continue;
		if (t->mul || t->ext != FR_EXT_NONE) {
			if (!fr_invariant(outer, v) || (t->mul && !fr_invariant(outer, t->mul)))
				return false;
			part.t[part.n++] = *t;
			part.t[0].v = v;
			part.t[0].coef = 1;
		} else if (!fr_sum_raw(outer, v, &part)) {
			return false;
		}
		if (!fr_sum_add(&s, &part, t->coef))
			return false;
	}
	*ret = s;
	return fr_sum_valid(outer, &s);
}

static bool add_outer(struct loop_nest *n, bool before)
{
	fr_assert(n->outer->l->inner);
	FR_VEC_FOREACH (i, &n->outer->items) {
		struct nest_entry e = {.sum = i->sum,
				       .stride = i->stride,
				       .constant = i->constant,
				       .item = i,
				       .guard = &i->guard,
				       .last = i->last};

		if (fr_loop_reaches(n->outer, i->block, n->outer->l->inner->header) != before)
			continue;
		if (!i->strided || (i->constant && !i->stride && i->a->size < FR_TILE_MIN))
			return false;
		fr_vec_push(&n->all, e);
	}
	return true;
}

static bool add_inner(struct loop_nest *n)
{
	FR_VEC_FOREACH (i, &n->inner.items)
		if (!i->strided)
			return false;
	FR_VEC_FOREACH (s, &n->inner.plan.out) {
		struct nest_entry e = {.in = s, .guard = &n->group.guard, .last = n->group.last};

		if (s->guard.n || !steady(n, s) || !compose(n, &s->sum, &e.sum))
			return false;
		e.constant = fr_sum_stride(&n->outer->ivs, &e.sum, &e.stride);
		fr_vec_push(&n->all, e);
	}
	return true;
}

static bool plan(struct loop_nest *n)
{
	if (!fr_loop_begin(n->outer) || !fr_loop_plan(&n->inner) || !find_trip(n))
		return false;
	FR_VEC_FOREACH (e, &n->outer->plan.exits)
		if (fr_loop_has(n->inner.l, e->from))
			return false;
	if (!fr_loop_counted(n->outer, &n->group) || !fr_loop_items(n->outer))
		return false;
	if (!add_outer(n, true))
		return false;
	n->from = n->all.n;
	if (!add_inner(n))
		return false;
	n->to = n->all.n;
	return add_outer(n, false) && n->all.n <= FR_STRIDES_MAX;
}

/* ---- code ---- */

#define FIELDS 11

static LLVMTypeRef entry_type(struct fr_pass_unit *u)
{
	LLVMTypeRef f[FIELDS] = {u->ptr, u->i64, u->i64, u->i64, u->i64, u->i32,
				 u->i32, u->i32, u->i32, u->i32, u->i32};

	_Static_assert(sizeof(struct frt_nest) == 64, "struct frt_nest is written here by field");
	return LLVMStructTypeInContext(u->ctx, f, FIELDS, false);
}

/* Iterations of the inner loop in each iteration of the outer one. */
static LLVMValueRef trip(struct loop_nest *n)
{
	struct fr_pass_unit *u = n->outer->f->u;
	LLVMValueRef a = fr_as_i64(u, n->iv->start), b = fr_as_i64(u, n->bound);

	fr_assert(n->iv->step && n->bound);
	return n->iv->step > 0
		   ? fr_stride_divide(u, LLVMBuildSub(u->b, b, a, ""), (uint64_t)n->iv->step)
		   : fr_stride_divide(u, LLVMBuildSub(u->b, a, b, ""), (uint64_t)-n->iv->step);
}

static void put(struct loop_nest *n, LLVMValueRef array, size_t k, unsigned exit,
		LLVMValueRef visits, LLVMValueRef trips)
{
	struct fr_pass_unit *u = n->outer->f->u;
	const struct nest_entry *e = &n->all.v[k];
	const struct fr_stride *in = e->in;
	const struct fr_access *a = in ? in->first : e->item->a;
	LLVMValueRef inner_count = fr_i64(u, 1), inner_stride = fr_i64(u, 0);

	fr_assert(k < n->all.n && !in == !!e->item);
	if (in) {
		inner_count = in->last & 1 ? trips : LLVMBuildSub(u->b, trips, fr_i64(u, 1), "");
		inner_count = LLVMBuildMul(u->b, inner_count, fr_i64(u, in->times), "");
		inner_stride = in->constant ? fr_i64(u, (uint64_t)in->stride)
					    : fr_sum_growth(&n->inner.ivs, &in->sum);
	}
	LLVMValueRef v[FIELDS] = {
	    LLVMBuildIntToPtr(u->b, fr_sum_first(&n->outer->ivs, &e->sum), u->ptr, ""),
	    fr_stride_count(u, visits, e->last >> exit & 1, e->guard),
	    inner_count,
	    e->constant ? fr_i64(u, (uint64_t)e->stride) : fr_sum_growth(&n->outer->ivs, &e->sum),
	    inner_stride,
	    fr_i32(u, in ? in->elem : a->size),
	    fr_site_value(u, a->site),
	    fr_i32(u, a->write),
	    fr_i32(u, in && in->constant && !in->stride),
	    fr_i32(u, in ? in->times : 1),
	    fr_i32(u, in ? in->cls : 0)};

	fr_stride_fill(u, entry_type(u), array, k, v);
}

static void emit(struct loop_nest *n)
{
	struct fr_stride_plan *p = &n->outer->plan;
	struct fr_pass_unit *u = n->outer->f->u;
	struct fr_counter c = fr_stride_counter(p);
	LLVMValueRef array = fr_stride_array(n->outer->f, entry_type(u), n->all.n);
	LLVMValueRef table = fr_stride_parts(&n->inner.plan);

	for (unsigned i = 0; i < p->exits.n; i++) {
		LLVMValueRef term = LLVMGetBasicBlockTerminator(fr_stride_split(p, &p->exits.v[i]));
		LLVMValueRef visits, trips;

		fr_before(u, term);
		visits = fr_stride_visits(p, &c, p->exits.v[i].from);
		trips = trip(n);
		for (size_t k = 0; k < n->all.n; k++)
			put(n, array, k, i, visits, trips);
		fr_hook(u, FR_H_NEST,
			(LLVMValueRef[]){array, fr_i32(u, n->all.n), fr_i32(u, n->from),
					 fr_i32(u, n->to), table,
					 fr_i32(u, n->inner.plan.parts.n)});
	}
	u->count[FR_PC_strides] += n->all.n;
	u->count[FR_PC_nests]++;
}

void fr_nest_try(struct fr_loop *outer)
{
	struct loop_nest n = {.outer = outer,
			      .inner = {.f = outer->f,
					.cfg = outer->cfg,
					.l = outer->l->inner,
					.first = outer->first,
					.nested = true},
			      .group = {.block = outer->l->inner->header}};

	if (plan(&n)) {
		emit(&n);
		fr_loop_done(outer, outer->cfg->block[outer->l->header]);
		fr_loop_done(&n.inner, outer->cfg->block[outer->l->header]);
	}
	fr_loop_free(&n.inner);
	fr_vec_free(&n.all);
}
