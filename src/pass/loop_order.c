/*
 * The order of a loop's events. loop.c describes the three ways to find it.
 *
 * Invariant: of two accesses to the same memory, one of them a write, the one that happened first
 * is recorded first.
 */
#include "alias.h"
#include "base/assert.h"
#include "loop.h"

enum loop_order { ANY, FIRST, SECOND, LOST }; /* which of a and b must come first */

static enum loop_order both(enum loop_order x, enum loop_order y)
{
	if (x == ANY || x == y)
		return y;
	return y == ANY ? x : LOST;
}

static bool overlap(int64_t a, uint64_t na, int64_t b, uint64_t nb)
{
	return a < b + (int64_t)nb && b < a + (int64_t)na;
}

/* Same terms and stride; a comes before b in the body. */
static enum loop_order by_distance(const struct fr_loop_access *a, const struct fr_loop_access *b)
{
	int64_t s = a->stride, d = (int64_t)((uint64_t)b->sum.c - (uint64_t)a->sum.c), k;
	uint64_t na = a->a->size, nb = b->a->size, step = (uint64_t)(s < 0 ? -s : s);
	enum loop_order o = ANY;

	fr_assert(a->stride == b->stride && na && nb);
	if (d > INT32_MAX || d < -INT32_MAX || step > INT32_MAX)
		return LOST;
	if (!s)
		return overlap(0, na, d, nb) ? FIRST : ANY;
	if (na > step || nb > step)
		return LOST;
	/* Does b touch the same address k iterations before a? For k = 0 the body decides. */
	k = d / s;
	for (int64_t j = k - 2; j <= k + 2; j++)
		if (overlap(0, na, d - j * s, nb))
			o = both(o, j > 0 ? SECOND : FIRST);
	return o;
}

/* a comes before b in the body, and one of them is a write. `at_run`: left to the runtime. */
static enum loop_order order_of(struct fr_loop *p, const struct fr_loop_access *a,
				const struct fr_loop_access *b, bool *at_run)
{
	enum loop_order o;

	*at_run = false;
	if (a->constant && b->constant && fr_sum_alike(&a->sum, &b->sum) &&
	    a->stride == b->stride) {
		o = by_distance(a, b);
		if (o != LOST)
			return o;
	} else if (!a->constant && a->sum.c == b->sum.c && a->a->size == b->a->size &&
		   fr_sum_alike(&a->sum, &b->sum)) {
		*at_run =
		    true; /* the same address in each iteration; a stride of 0 shows at run time */
		return FIRST;
	} else if (fr_never_alias(p->f->u, a->a->inst, a->a->ptr, b->a->inst, b->a->ptr)) {
		return ANY;
	}
	*at_run = true;
	return ANY;
}

/* before[a][b]: event a must come before event b. False if some order would be lost. */
static bool find_order(struct fr_loop *p, bool before[FR_STRIDES_MAX][FR_STRIDES_MAX])
{
	for (size_t i = 0; i < p->items.n; i++)
		for (size_t j = i + 1; j < p->items.n; j++) {
			struct fr_loop_access *a = &p->items.v[i], *b = &p->items.v[j];
			bool at_run;
			enum loop_order o;

			if (!(a->a->write || b->a->write) || !a->strided || !b->strided)
				continue;
			o = order_of(p, a, b, &at_run);
			if (o == LOST)
				return false;
			p->plan.runtime_order |= at_run;
			fr_assert(a->in < p->plan.out.n && b->in < p->plan.out.n);
			if (a->in == b->in)
				continue;
			if (o == FIRST)
				before[a->in][b->in] = true;
			else if (o == SECOND)
				before[b->in][a->in] = true;
		}
	return true;
}

/* Sorts the events so that `before` holds; false if that is impossible. */
static bool sort_events(struct fr_stride_plan *plan, bool before[FR_STRIDES_MAX][FR_STRIDES_MAX])
{
	struct fr_stride sorted[FR_STRIDES_MAX];
	bool used[FR_STRIDES_MAX] = {false};

	fr_assert(plan->out.n <= FR_STRIDES_MAX);
	for (size_t n = 0; n < plan->out.n; n++) {
		size_t pick = plan->out.n;

		for (size_t k = 0; k < plan->out.n && pick == plan->out.n; k++) {
			bool free_now = !used[k];

			for (size_t j = 0; j < plan->out.n; j++)
				free_now &= used[j] || !before[j][k];
			if (free_now)
				pick = k;
		}
		if (pick == plan->out.n)
			return false;
		used[pick] = true;
		sorted[n] = plan->out.v[pick];
	}
	for (size_t n = 0; n < plan->out.n; n++)
		plan->out.v[n] = sorted[n];
	return true;
}

/* True unless the runtime, which only sees addresses, would undo an order that is known here. */
static bool runtime_agrees(const struct fr_stride_plan *plan,
			   bool before[FR_STRIDES_MAX][FR_STRIDES_MAX])
{
	for (size_t a = 0; a < plan->out.n; a++)
		for (size_t b = 0; b < plan->out.n; b++) {
			const struct fr_stride *x = &plan->out.v[a], *y = &plan->out.v[b];

			if (!before[a][b])
				continue;
			if (!x->constant && x->cls == y->cls && x->sum.c == y->sum.c && a < b)
				continue;
			if (x->cls == y->cls
				? x->stride > 0 ? x->sum.c < y->sum.c : x->sum.c > y->sum.c
				: b < a)
				return false;
		}
	return true;
}

static bool same_stride(const struct fr_stride *a, const struct fr_stride *b)
{
	if (a->times != b->times || a->constant != b->constant)
		return false;
	return a->constant ? a->stride && a->stride == b->stride : fr_sum_alike(&a->sum, &b->sum);
}

/* Events whose order the runtime can find from their bases form a class. */
static void number_classes(struct fr_stride_plan *plan)
{
	for (size_t i = 0; i < plan->out.n; i++) {
		struct fr_stride *s = &plan->out.v[i];

		s->cls = (unsigned)i;
		for (size_t j = 0; j < i; j++)
			if (same_stride(s, &plan->out.v[j])) {
				s->cls = plan->out.v[j].cls;
				break;
			}
	}
}

/* Keeps the hook of an access that may touch the memory of an access with a
   hook: its order would be lost. */
static void keep_hooks(struct fr_loop *p)
{
	bool changed = true;

	while (changed) {
		changed = false;
		FR_VEC_FOREACH (i, &p->items)
			FR_VEC_FOREACH (j, &p->items) {
				if (!i->strided || j->strided || !(i->a->write || j->a->write) ||
				    fr_never_alias(p->f->u, i->a->inst, i->a->ptr, j->a->inst,
						   j->a->ptr))
					continue;
				i->strided = false;
				changed = true;
			}
	}
}

bool fr_order_events(struct fr_loop *p)
{
	bool before[FR_STRIDES_MAX][FR_STRIDES_MAX] = {{false}};

	do {
		keep_hooks(p);
		fr_tile_events(p);
	} while (fr_tile_drop_small(p));
	fr_tile_fold(p);
	FR_VEC_FOREACH (s, &p->plan.out)
		p->plan.runtime_order |= s->constant && !s->stride;
	p->plan.runtime_order |= p->nested;
	number_classes(&p->plan);
	if (!p->plan.out.n || p->plan.out.n > FR_STRIDES_MAX || !find_order(p, before))
		return false;
	return p->plan.runtime_order ? runtime_agrees(&p->plan, before)
				     : sort_events(&p->plan, before);
}
