/*
 * Loops whose accesses are recorded when the loop is left, one event for each access instead of one
 * for each iteration (option ranges).
 *
 * A loop qualifies when it is innermost, has no calls, no atomic or volatile access, and every
 * write that is recorded is affine and executed exactly once in each full iteration. Reads that are
 * not keep their hooks, unless a write might touch what they read: then the loop does not qualify.
 *
 * The order of accesses to one location is kept:
 *  - accesses that never alias (alias.c) have none;
 *  - accesses whose addresses differ by a constant are compared here, location by location;
 *  - all others are left to the runtime, which sees the addresses (frt_h_strides).
 *
 * An access that stays in its place (stride 0) qualifies if it is of an array, 32 bytes or more in
 * one iteration; its first and last execution are recorded (option tiles).
 *
 * Loses: values, the order of accesses to different locations within the loop, repeated
 * accesses to the same place, and all of it when the program dies inside the loop.
 */
#include "alias.h"
#include "stride.h"

#define EXITS_MAX 6
#define ACCESS_MAX 64
#define STRIDES_MAX 12
#define TILE_MIN 32
#define TILE_MAX 4096

/* An access of the loop, in program order. */
struct item {
	struct fr_access *a;
	unsigned block;
	struct fr_sum sum;
	int64_t stride;
	bool constant, strided;
	size_t in; /* its event */
};

struct loop {
	struct fr_func *f;
	struct fr_cfg *cfg;
	struct fr_loop_cfg *l;
	struct fr_ivs ivs;
	struct fr_stride_plan plan;
	const struct fr_map *first; /* block -> its first access + 1 */
	bool cross; /* the runtime may find accesses of different strides in each other's way */
	FR_VEC(struct item) items;
};

/* Nothing in the loop but arithmetic, plain accesses and branches. */
static bool harmless(struct loop *p)
{
	for (size_t k = 0; k < p->l->body.n; k++) {
		LLVMValueRef i = LLVMGetFirstInstruction(p->cfg->block[p->l->body.v[k]]);

		for (; i; i = LLVMGetNextInstruction(i)) {
			if (LLVMIsACallInst(i) && !fr_intrinsic(i))
				return false;
			if (!fr_may_write(i) || (LLVMIsACallInst(i) && fr_memop_fixed(i)))
				continue;
			if (!LLVMIsAStoreInst(i) || LLVMGetVolatile(i) ||
			    LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
				return false;
		}
	}
	return true;
}

/* Every edge out of the loop is one side of a conditional branch. */
static bool find_exits(struct loop *p)
{
	for (size_t k = 0; k < p->l->body.n; k++) {
		unsigned b = p->l->body.v[k], out = 0;
		struct fr_exit e = {.from = b};
		LLVMValueRef term = LLVMGetBasicBlockTerminator(p->cfg->block[b]);

		for (unsigned i = 0; i < LLVMGetNumSuccessors(term); i++)
			if (!fr_loop_has(p->l, p->cfg->succ[p->cfg->succ_at[b] + i])) {
				e.edge = i;
				e.to = LLVMGetSuccessor(term, i);
				out++;
			}
		if (!out)
			continue;
		if (out > 1 || !LLVMIsABranchInst(term) || p->plan.exits.n == EXITS_MAX)
			return false;
		fr_vec_push(&p->plan.exits, e);
	}
	return p->plan.exits.n > 0;
}

/* Blocks of the loop that can be reached from b in the same iteration. */
static bool reaches(struct loop *p, unsigned b, unsigned to)
{
	FR_VEC(unsigned) todo = {0};
	struct fr_map seen = {0};
	bool found = false;

	fr_vec_push(&todo, b);
	while (todo.n && !found) {
		unsigned x = todo.v[--todo.n];

		found = x == to;
		for (unsigned i = p->cfg->succ_at[x]; i < p->cfg->succ_at[x + 1]; i++) {
			unsigned s = p->cfg->succ[i];
			uint64_t *slot;

			if (s == p->l->header || !fr_loop_has(p->l, s))
				continue;
			slot = fr_map_put(&seen, s);
			if (!*slot) {
				*slot = 1;
				fr_vec_push(&todo, s);
			}
		}
	}
	fr_vec_free(&todo);
	fr_map_free(&seen);
	return found;
}

/* Executed once in each full iteration, and surely or surely not in the one that is left early. */
static bool counted(struct loop *p, unsigned b)
{
	if (!fr_cfg_dominates(p->cfg, b, p->l->latch))
		return false;
	FR_VEC_FOREACH (e, &p->plan.exits)
		if (!fr_cfg_dominates(p->cfg, b, e->from) && reaches(p, b, e->from))
			return false;
	return true;
}

static bool find_items(struct loop *p)
{
	/* Accesses stand in the order of the function's blocks, not of the loop's. */
	for (size_t k = 0; k < p->l->body.n; k++) {
		LLVMBasicBlockRef block = p->cfg->block[p->l->body.v[k]];
		uint64_t *at = fr_map_get(p->first, (uintptr_t)block);

		for (size_t n = at ? *at - 1 : p->f->access.n; n < p->f->access.n; n++) {
			struct fr_access *a = &p->f->access.v[n];
			struct item it = {.a = a, .block = p->l->body.v[k]};

			if (LLVMGetInstructionParent(a->inst) != block)
				break;
			if (a->done)
				continue;
			if (p->items.n == ACCESS_MAX)
				return false;
			if (counted(p, it.block) && fr_sum_of(&p->ivs, a->ptr, &it.sum)) {
				it.constant = fr_sum_stride(&p->ivs, &it.sum, &it.stride);
				it.strided = !it.constant || it.stride || p->f->u->opt.tiles;
			}
			if (a->write && !it.strided)
				return false;
			fr_vec_push(&p->items, it);
		}
	}
	FR_VEC_FOREACH (i, &p->items)
		if (i->strided)
			return true;
	return false;
}

/* ---- order ---- */

enum order { ANY, FIRST, SECOND, LOST }; /* which of a and b must come first */

static enum order both(enum order x, enum order y)
{
	if (x == ANY || x == y)
		return y;
	return y == ANY ? x : LOST;
}

static bool overlap(int64_t a, uint64_t na, int64_t b, uint64_t nb)
{
	return a < b + (int64_t)nb && b < a + (int64_t)na;
}

/* Same terms and stride; a stands before b in the body. */
static enum order by_distance(const struct item *a, const struct item *b)
{
	int64_t s = a->stride, d = (int64_t)((uint64_t)b->sum.c - (uint64_t)a->sum.c), k;
	uint64_t na = a->a->size, nb = b->a->size, step = (uint64_t)(s < 0 ? -s : s);
	enum order o = ANY;

	if (d > INT32_MAX || d < -INT32_MAX || step > INT32_MAX)
		return LOST;
	if (!s)
		return overlap(0, na, d, nb) ? FIRST : ANY;
	if (na > step || nb > step)
		return LOST;
	/* b, k iterations earlier than a, at the same place? For k = 0 the body decides. */
	k = d / s;
	for (int64_t j = k - 2; j <= k + 2; j++)
		if (overlap(0, na, d - j * s, nb))
			o = both(o, j > 0 ? SECOND : FIRST);
	return o;
}

/* a before b in the body, one of them a write. `at_run`: left to the runtime. */
static enum order order_of(struct loop *p, const struct item *a, const struct item *b, bool *at_run)
{
	enum order o;

	*at_run = false;
	if (a->strided && b->strided && a->constant && b->constant &&
	    fr_sum_alike(&a->sum, &b->sum) && a->stride == b->stride) {
		o = by_distance(a, b);
		if (o != LOST)
			return o;
	} else if (a->strided && b->strided && !a->constant && a->sum.c == b->sum.c &&
		   a->a->size == b->a->size && fr_sum_alike(&a->sum, &b->sum)) {
		*at_run =
		    true; /* the same place in each iteration; a stride of 0 shows at run time */
		return FIRST;
	} else if (fr_never_alias(p->f->u, a->a->inst, a->a->ptr, b->a->inst, b->a->ptr)) {
		return ANY;
	}
	*at_run = a->strided && b->strided;
	return *at_run ? ANY : LOST;
}

/* ---- events ---- */

/* Same site, direction and block, and right before or behind what the event has: one event. */
static bool join(struct loop *p, struct item *i)
{
	struct fr_stride_plan *plan = &p->plan;

	for (size_t k = 0; k < plan->out.n; k++) {
		struct fr_stride *s = &plan->out.v[k];
		int64_t d = (int64_t)((uint64_t)i->sum.c - (uint64_t)s->sum.c);
		uint64_t step = (uint64_t)(s->stride < 0 ? -s->stride : s->stride);

		if (i->constant != s->constant || s->write != i->a->write || s->block != i->block ||
		    s->first->site != i->a->site || !fr_sum_alike(&s->sum, &i->sum))
			continue;
		if (!step || !s->constant)
			step = TILE_MAX;
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

static void make_events(struct loop *p, bool joined)
{
	p->plan.out.n = 0;
	p->plan.runtime_order = false;
	FR_VEC_FOREACH (i, &p->items) {
		struct fr_stride s = {.sum = i->sum,
				      .first = i->a,
				      .block = i->block,
				      .times = 1,
				      .elem = i->a->size,
				      .stride = i->stride,
				      .constant = i->constant,
				      .write = i->a->write};

		if (!i->strided || (joined && join(p, i)))
			continue;
		i->in = p->plan.out.n;
		fr_vec_push(&p->plan.out, s);
	}
}

/* Places that every iteration touches: arrays only. Others keep their hooks. */
static bool drop_small(struct loop *p)
{
	struct fr_stride_plan *plan = &p->plan;

	FR_VEC_FOREACH (i, &p->items) {
		const struct fr_stride *s = &plan->out.v[i->in];

		if (!i->strided || !s->constant || s->stride || s->elem >= TILE_MIN)
			continue;
		i->strided = false;
		if (i->a->write)
			return false;
	}
	for (size_t k = plan->out.n; k-- > 0;) {
		struct fr_stride *s = &plan->out.v[k];

		if (!s->constant || s->stride)
			continue;
		if (s->elem >= TILE_MIN)
			continue;
		for (size_t j = k; j + 1 < plan->out.n; j++)
			plan->out.v[j] = plan->out.v[j + 1];
		plan->out.n--;
		FR_VEC_FOREACH (i, &p->items)
			if (i->strided && i->in > k)
				i->in--;
	}
	return plan->out.n > 0;
}

static bool same_place(const struct fr_stride *a, const struct fr_stride *b)
{
	return a->constant && b->constant && a->write == b->write && a->block == b->block &&
	       a->first->site == b->first->site && a->stride == b->stride && a->elem == b->elem &&
	       a->times == 1 && b->times == 1 && fr_sum_alike(&a->sum, &b->sum);
}

/*
 * An unrolled loop: k events of one place, evenly spread over the stride, are one of a k-th of it.
 * They are folded into the lowest (or, going down, the highest), which the first iteration meets
 * first.
 */
static void fold(struct loop *p, size_t at)
{
	struct fr_stride_plan *plan = &p->plan;
	struct fr_stride *s = &plan->out.v[at];
	size_t same[STRIDES_MAX * 4], n = 0;
	int64_t gap;

	for (size_t k = at; k < plan->out.n && n < fr_array_size(same); k++)
		if (same_place(s, &plan->out.v[k]))
			same[n++] = k;
	if (n < 2 || !s->stride || s->stride % (int64_t)n)
		return;
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

/* before[a][b]: event a must come before event b. False if some order would be lost. */
static bool find_order(struct loop *p, bool before[STRIDES_MAX][STRIDES_MAX])
{
	for (size_t i = 0; i < p->items.n; i++)
		for (size_t j = i + 1; j < p->items.n; j++) {
			struct item *a = &p->items.v[i], *b = &p->items.v[j];
			bool at_run;
			enum order o;

			if (!a->a->write && !b->a->write)
				continue;
			o = order_of(p, a, b, &at_run);
			if (o == LOST ||
			    ((o == FIRST || o == SECOND) && !(a->strided && b->strided)))
				return false;
			p->plan.runtime_order |= at_run;
			p->cross |= at_run && p->plan.out.v[a->in].cls != p->plan.out.v[b->in].cls;
			if (a->in == b->in && a->strided && b->strided)
				continue;
			if (o == FIRST)
				before[a->in][b->in] = true;
			else if (o == SECOND)
				before[b->in][a->in] = true;
		}
	return true;
}

/* Puts the events in an order that respects `before`; false if there is none. */
static bool sort_events(struct fr_stride_plan *plan, bool before[STRIDES_MAX][STRIDES_MAX])
{
	struct fr_stride sorted[STRIDES_MAX];
	bool used[STRIDES_MAX] = {false};

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

/* Would the runtime, which goes by addresses alone, undo an order that is known here? */
static bool runtime_agrees(const struct fr_stride_plan *plan, bool before[STRIDES_MAX][STRIDES_MAX])
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

/* Strides that the runtime may put in order by their bases are a class. */
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

/*
 * Orders the events. Where the runtime may have to go through the loop again, each access is better
 * an event of its own: joined ones stand where the first of them does.
 */
static bool order_events(struct loop *p, bool joined)
{
	bool before[STRIDES_MAX][STRIDES_MAX] = {{false}};

	make_events(p, joined);
	if (joined && !drop_small(p))
		return false;
	FR_VEC_FOREACH (s, &p->plan.out)
		p->plan.runtime_order |= s->constant && !s->stride;
	for (size_t k = 0; joined && k < p->plan.out.n; k++)
		fold(p, k);
	number_classes(&p->plan);
	if (p->plan.out.n > STRIDES_MAX || !find_order(p, before))
		return false;
	return p->plan.runtime_order ? runtime_agrees(&p->plan, before)
				     : sort_events(&p->plan, before);
}

static bool plan(struct loop *p)
{
	size_t strided = 0;

	if (!harmless(p) || !find_exits(p))
		return false;
	p->ivs = (struct fr_ivs){.u = p->f->u, .cfg = p->cfg, .loop = p->l};
	fr_ivs_find(&p->ivs);
	if (!p->ivs.iv.n || !find_items(p))
		return false;
	if (!order_events(p, true))
		return false;
	FR_VEC_FOREACH (i, &p->items)
		strided += i->strided;
	if (!p->plan.runtime_order || !p->cross || strided > STRIDES_MAX)
		return true;
	return order_events(p, false) || order_events(p, true);
}

struct all {
	struct fr_func *f;
	struct fr_cfg cfg;
	struct fr_map first;
};

static void one_loop(void *ctx, struct fr_loop_cfg *l)
{
	struct all *all = ctx;
	struct loop p = {
	    .f = all->f, .cfg = &all->cfg, .l = l, .first = &all->first, .plan = {.f = all->f}};

	if (plan(&p)) {
		p.plan.ivs = &p.ivs;
		fr_stride_emit(&p.plan);
		FR_VEC_FOREACH (i, &p.items)
			if (i->strided) {
				i->a->done = true;
				all->f->u->count[FR_PC_strided]++;
			}
	}
	fr_vec_free(&p.items);
	fr_vec_free(&p.ivs.iv);
	fr_vec_free(&p.plan.exits);
	fr_vec_free(&p.plan.out);
}

void fr_loops(struct fr_func *f)
{
	struct all all = {.f = f};

	if (!f->access.n)
		return;
	for (size_t n = f->access.n; n-- > 0;)
		*fr_map_put(&all.first, (uintptr_t)LLVMGetInstructionParent(f->access.v[n].inst)) =
		    n + 1;
	fr_cfg_build(&all.cfg, f->fn);
	fr_cfg_loops(&all.cfg, one_loop, &all);
	fr_cfg_free(&all.cfg);
	fr_map_free(&all.first);
}
