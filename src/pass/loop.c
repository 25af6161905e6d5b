/*
 * Loops whose accesses are recorded when the loop is left, one event for each access instead of one
 * for each iteration (option ranges).
 *
 * A loop qualifies when it is innermost, has no calls, no atomic or volatile access, and every
 * write that is recorded is affine and executed exactly once in each full iteration, or in none.
 * Reads that are not keep their hooks, unless a write might touch what they read: then the loop
 * does not qualify.
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
#include "loop.h"

#define EXITS_MAX 6
#define ACCESS_MAX 64

/* Nothing in the loop but arithmetic, plain accesses and branches. */
static bool harmless(struct fr_loop *p)
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
static bool find_exits(struct fr_loop *p)
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
static bool reaches(struct fr_loop *p, unsigned b, unsigned to)
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

/*
 * A block that is executed in each iteration or in none: only branches on invariants decide, from a
 * block that every full iteration passes. That block, or UINT32_MAX.
 */
static unsigned guarded_by(struct fr_loop *p, unsigned b, struct fr_guard *g)
{
	g->n = 0;
	while (!fr_cfg_dominates(p->cfg, b, p->l->latch)) {
		unsigned from = p->cfg->pred[p->cfg->pred_at[b]];
		LLVMValueRef term = LLVMGetBasicBlockTerminator(p->cfg->block[from]);

		if (p->cfg->pred_at[b + 1] - p->cfg->pred_at[b] != 1 || !LLVMIsABranchInst(term))
			return UINT32_MAX;
		if (LLVMIsConditional(term)) {
			LLVMValueRef c = LLVMGetCondition(term);

			if (g->n == FR_GUARDS || !fr_invariant(&p->ivs, c))
				return UINT32_MAX;
			g->cond[g->n] = c;
			g->sense[g->n++] = LLVMGetSuccessor(term, 0) == p->cfg->block[b];
		}
		b = from;
	}
	return b;
}

/*
 * Executed once in each full iteration (if its guard holds), and surely or surely not in the one
 * that is left early: a block that every iteration passes is passed before the exit if it dominates
 * it; what is guarded behind it, if it leads to the exit.
 */
static bool counted(struct fr_loop *p, struct fr_item *i)
{
	unsigned base = guarded_by(p, i->block, &i->guard);

	if (base == UINT32_MAX)
		return false;
	for (size_t k = 0; k < p->plan.exits.n; k++) {
		unsigned from = p->plan.exits.v[k].from;

		if (fr_cfg_dominates(p->cfg, base, from)) {
			if (reaches(p, i->block, from))
				i->last |= 1u << k;
		} else if (reaches(p, base, from)) {
			return false;
		}
	}
	return true;
}

static bool find_items(struct fr_loop *p)
{
	/* Accesses stand in the order of the function's blocks, not of the loop's. */
	for (size_t k = 0; k < p->l->body.n; k++) {
		LLVMBasicBlockRef block = p->cfg->block[p->l->body.v[k]];
		uint64_t *at = fr_map_get(p->first, (uintptr_t)block);

		for (size_t n = at ? *at - 1 : p->f->access.n; n < p->f->access.n; n++) {
			struct fr_access *a = &p->f->access.v[n];
			struct fr_item it = {.a = a, .block = p->l->body.v[k]};

			if (LLVMGetInstructionParent(a->inst) != block)
				break;
			if (a->done)
				continue;
			if (p->items.n == ACCESS_MAX)
				return false;
			if (counted(p, &it) && fr_sum_of(&p->ivs, a->ptr, &it.sum)) {
				it.constant = fr_sum_stride(&p->ivs, &it.sum, &it.stride);
				it.strided = !it.constant || it.stride || p->f->u->opt.tiles;
			}
			fr_vec_push(&p->items, it);
		}
	}
	FR_VEC_FOREACH (i, &p->items)
		if (i->strided)
			return true;
	return false;
}

static bool plan(struct fr_loop *p)
{
	if (!harmless(p) || !find_exits(p))
		return false;
	p->ivs = (struct fr_ivs){.u = p->f->u, .cfg = p->cfg, .loop = p->l};
	fr_ivs_find(&p->ivs);
	if (!p->ivs.iv.n || !find_items(p) || !fr_order_events(p))
		return false;
	FR_VEC_FOREACH (i, &p->items) {
		struct fr_part part = {.in = i->in, .size = i->a->size};

		if (!i->strided || !p->plan.runtime_order)
			continue;
		part.off = (int64_t)((uint64_t)i->sum.c - (uint64_t)p->plan.out.v[i->in].sum.c);
		if (part.size > UINT16_MAX)
			return false;
		fr_vec_push(&p->plan.parts, part);
	}
	return true;
}

struct all {
	struct fr_func *f;
	struct fr_cfg cfg;
	struct fr_map first;
};

static void one_loop(void *ctx, struct fr_loop_cfg *l)
{
	struct all *all = ctx;
	struct fr_loop p = {
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
	fr_vec_free(&p.plan.parts);
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
