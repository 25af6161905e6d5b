/*
 * Events of a loop: adjacent accesses of one site become one event, whether the source wrote them
 * so or the compiler unrolled a loop.
 */
#include "loop.h"
#include "base/assert.h"

/* Joins the item to an event of the same site, direction and block, if it is adjacent. */
static bool join(struct fr_loop *p, struct fr_loop_access *i)
{
	struct fr_stride_plan *plan = &p->plan;

	fr_assert(i->strided && i->a->size);
	for (size_t k = 0; k < plan->out.n; k++) {
		struct fr_stride *s = &plan->out.v[k];
		int64_t d = (int64_t)((uint64_t)i->sum.c - (uint64_t)s->sum.c);
		uint64_t step = (uint64_t)(s->stride < 0 ? -s->stride : s->stride);

		if (i->constant != s->constant || s->write != i->a->write || s->block != i->block ||
		    s->first->site != i->a->site || !fr_sum_alike(&s->sum, &i->sum))
			continue;
		if (!step || !s->constant)
			step = FR_TILE_MAX;
		if (d >= 0 && (uint64_t)d == s->elem && s->elem + i->a->size <= step) {
			s->elem += i->a->size;
		} else if (d < 0 && (uint64_t)-d == i->a->size && s->elem + i->a->size <= step) {
			s->sum.c = i->sum.c;
			s->elem += i->a->size;
		} else {
			continue;
		}
		i->in = k;
		return true;
	}
	return false;
}

void fr_tile_events(struct fr_loop *p)
{
	p->plan.out.n = 0;
	p->plan.runtime_order = false;
	FR_VEC_FOREACH (i, &p->items) {
		struct fr_stride s = {.sum = i->sum,
				      .first = i->a,
				      .guard = i->guard,
				      .block = i->block,
				      .last = i->last,
				      .times = 1,
				      .elem = i->a->size,
				      .stride = i->stride,
				      .constant = i->constant,
				      .write = i->a->write};

		if (!i->strided || join(p, i))
			continue;
		i->in = p->plan.out.n;
		fr_vec_push(&p->plan.out, s);
	}
}

/* Items that every iteration touches at the same address: only arrays. Others keep their hooks. */
bool fr_tile_drop_small(struct fr_loop *p)
{
	bool any = false;

	FR_VEC_FOREACH (i, &p->items) {
		const struct fr_stride *s = i->strided ? &p->plan.out.v[i->in] : NULL;

		if (!s || !s->constant || s->stride || s->elem >= FR_TILE_MIN)
			continue;
		i->strided = false;
		any = true;
	}
	return any;
}

static bool same_access(const struct fr_stride *a, const struct fr_stride *b)
{
	return a->constant && b->constant && a->write == b->write && a->block == b->block &&
	       a->first->site == b->first->site && a->stride == b->stride && a->elem == b->elem &&
	       a->times == 1 && b->times == 1 && fr_sum_alike(&a->sum, &b->sum);
}

/*
 * An unrolled loop: k events of one site, evenly spread over the stride, become one with a k-th of
 * the stride. They are folded into the lowest (or, going down, the highest), which the first
 * iteration touches first.
 */
static void fold_at(struct fr_loop *p, size_t at)
{
	struct fr_stride_plan *plan = &p->plan;
	struct fr_stride *s = &plan->out.v[at];
	size_t same[FR_STRIDES_MAX * 4], n = 0;
	int64_t gap;

	for (size_t k = at; k < plan->out.n && n < fr_array_size(same); k++)
		if (same_access(s, &plan->out.v[k]))
			same[n++] = k;
	if (n < 2 || !s->stride || s->stride % (int64_t)n)
		return;
	fr_assert(same[0] == at);
	gap = s->stride / (int64_t)n;
	for (size_t i = 0; i < n; i++) {
		int64_t c = plan->out.v[same[i]].sum.c;

		if (gap > 0 ? c < s->sum.c : c > s->sum.c)
			return;
		if ((c - s->sum.c) % gap || (c - s->sum.c) / gap >= (int64_t)n)
			return;
		for (size_t j = 0; j < i; j++)
			if (plan->out.v[same[j]].sum.c == c)
				return;
	}
	fr_assert(s->times == 1 && gap);
	s->times = (unsigned)n;
	s->stride = gap;
	for (size_t i = n; i-- > 1;) {
		size_t gone = same[i];

		for (size_t k = gone; k + 1 < plan->out.n; k++)
			plan->out.v[k] = plan->out.v[k + 1];
		plan->out.n--;
		FR_VEC_FOREACH (it, &p->items)
			if (it->strided && it->in == gone)
				it->in = at;
			else if (it->strided && it->in > gone)
				it->in--;
	}
}

void fr_tile_fold(struct fr_loop *p)
{
	for (size_t k = 0; k < p->plan.out.n; k++)
		fold_at(p, k);
}
