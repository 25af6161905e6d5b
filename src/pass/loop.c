/*
 * Loops whose accesses are recorded when the loop is left: one event for each access instead of one
 * for each iteration (option ranges).
 *
 * A loop qualifies if it is innermost, has no calls and no atomic or volatile access, and every
 * recorded write is affine and executed exactly once in each full iteration, or in none. Other
 * reads keep their hooks, unless a write might touch the same memory: then the loop does not
 * qualify.
 *
 * The order of accesses to the same memory is kept:
 *  - accesses that never alias (alias.c) need no order;
 *  - accesses whose addresses differ by a constant are compared here, address by address;
 *  - all others are left to the runtime, which sees the addresses (frt_h_strides).
 *
 * An access that does not move (stride 0) qualifies if it is to an array, with 32 bytes or more in
 * one iteration; its first and last execution are recorded (option tiles).
 *
 * Loses: values, the order of accesses to different memory within the loop, repeated accesses to
 * the same memory, and all accesses if the program dies inside the loop.
 */
#include "loop.h"
#include "base/assert.h"

#define EXITS_MAX 6
#define ACCESS_MAX 64

/* True if the loop contains only arithmetic, plain accesses and branches. */
static bool harmless(struct fr_loop *p)
{
	for (size_t k = 0; k < p->l->body.n; k++) {
		LLVMValueRef i = LLVMGetFirstInstruction(p->cfg->block[p->l->body.v[k]]);

		for (; i; i = LLVMGetNextInstruction(i)) {
			if (LLVMIsACallInst(i) && (!fr_intrinsic(i) || fr_ends_local(p->f, i)))
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

/* Every edge out of the loop must be one side of a conditional branch. */
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

bool fr_loop_reaches(struct fr_loop *p, unsigned b, unsigned to)
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

/* The only predecessor of a block, apart from the inner loop's latch, or UINT32_MAX. */
static unsigned only_pred(struct fr_loop *p, unsigned b)
{
	unsigned found = UINT32_MAX;

	for (unsigned i = p->cfg->pred_at[b]; i < p->cfg->pred_at[b + 1]; i++) {
		if (p->l->inner && b == p->l->inner->header &&
		    p->cfg->pred[i] == p->l->inner->latch)
			continue;
		if (found != UINT32_MAX)
			return UINT32_MAX;
		found = p->cfg->pred[i];
	}
	return found;
}

/* If invariant branches alone decide whether block b runs, returns the always-executed block before
   it. Otherwise UINT32_MAX. */
static unsigned guarded_by(struct fr_loop *p, unsigned b, struct fr_guard *g)
{
	fr_assert(fr_loop_has(p->l, b));
	g->n = 0;
	while (!fr_cfg_dominates(p->cfg, b, p->l->latch)) {
		unsigned from = only_pred(p, b);
		LLVMValueRef term;

		if (from == UINT32_MAX)
			return UINT32_MAX;
		term = LLVMGetBasicBlockTerminator(p->cfg->block[from]);
		if (!LLVMIsABranchInst(term))
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
 * True if the block is executed once in each full iteration (if its guard holds), and is known to
 * be executed or not in the iteration that is left early. A block that every iteration passes is
 * passed before the exit if it dominates the exit; a guarded block behind it, if it leads to the
 * exit.
 */
bool fr_loop_counted(struct fr_loop *p, struct fr_loop_access *i)
{
	unsigned base = guarded_by(p, i->block, &i->guard);

	if (base == UINT32_MAX)
		return false;
	fr_assert(!i->last && p->plan.exits.n <= EXITS_MAX);
	for (size_t k = 0; k < p->plan.exits.n; k++) {
		unsigned from = p->plan.exits.v[k].from;

		if (fr_cfg_dominates(p->cfg, base, from)) {
			if (fr_loop_reaches(p, i->block, from))
				i->last |= 1u << k;
		} else if (fr_loop_reaches(p, base, from)) {
			return false;
		}
	}
	return true;
}

bool fr_loop_items(struct fr_loop *p)
{
	fr_assert(!p->items.n && p->plan.exits.n); /* after fr_loop_begin */
	/* Accesses are in the order of the function's blocks, not of the loop's. */
	for (size_t k = 0; k < p->l->body.n; k++) {
		LLVMBasicBlockRef block = p->cfg->block[p->l->body.v[k]];
		uint64_t *at = fr_map_get(p->first, (uintptr_t)block);

		if (p->l->inner && fr_loop_has(p->l->inner, p->l->body.v[k]))
			continue;
		for (size_t n = at ? *at - 1 : p->f->access.n; n < p->f->access.n; n++) {
			struct fr_access *a = &p->f->access.v[n];
			struct fr_loop_access it = {.a = a, .block = p->l->body.v[k]};

			if (LLVMGetInstructionParent(a->inst) != block)
				break;
			if (a->done)
				continue;
			if (p->items.n == ACCESS_MAX)
				return false;
			if (fr_loop_counted(p, &it) && fr_sum_of(&p->ivs, a->ptr, &it.sum)) {
				it.constant = fr_sum_stride(&p->ivs, &it.sum, &it.stride);
				it.strided = !it.constant || it.stride || p->f->u->opt.tiles;
			}
			fr_vec_push(&p->items, it);
		}
	}
	return true;
}

bool fr_loop_begin(struct fr_loop *p)
{
	fr_assert(!p->plan.exits.n);
	if (!harmless(p) || !find_exits(p))
		return false;
	p->ivs = (struct fr_ivs){.u = p->f->u, .cfg = p->cfg, .loop = p->l};
	p->plan.f = p->f;
	p->plan.ivs = &p->ivs;
	fr_ivs_find(&p->ivs);
	return p->ivs.iv.n > 0;
}

bool fr_loop_plan(struct fr_loop *p)
{
	if (!fr_loop_begin(p) || !fr_loop_items(p) || !fr_order_events(p))
		return false;
	FR_VEC_FOREACH (i, &p->items) {
		struct fr_part part = {.in = i->in, .size = i->a->size};

		if (!i->strided || !p->plan.runtime_order)
			continue;
		fr_assert(i->in < p->plan.out.n);
		part.off = (int64_t)((uint64_t)i->sum.c - (uint64_t)p->plan.out.v[i->in].sum.c);
		if (part.size > UINT16_MAX)
			return false;
		fr_vec_push(&p->plan.parts, part);
	}
	return true;
}

void fr_loop_done(struct fr_loop *p, LLVMBasicBlockRef header)
{
	FR_VEC_FOREACH (i, &p->items)
		if (i->strided) {
			fr_assert(!i->a->done && !i->a->loop);
			i->a->done = true;
			i->a->loop = header;
			p->f->u->count[FR_PC_strided]++;
		}
}

void fr_loop_free(struct fr_loop *p)
{
	fr_vec_free(&p->items);
	fr_vec_free(&p->ivs.iv);
	fr_vec_free(&p->plan.exits);
	fr_vec_free(&p->plan.out);
	fr_vec_free(&p->plan.parts);
}

struct all {
	struct fr_func *f;
	struct fr_cfg cfg;
	struct fr_map first;
};

static void one_loop(void *ctx, struct fr_loop_cfg *l)
{
	struct all *all = ctx;
	struct fr_loop p = {.f = all->f, .cfg = &all->cfg, .l = l, .first = &all->first};

	if (l->inner) {
		fr_nest_try(&p);
	} else if (fr_loop_plan(&p)) {
		fr_stride_emit(&p.plan);
		fr_loop_done(&p, all->cfg.block[l->header]);
	}
	fr_loop_free(&p);
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
	if (f->u->opt.nests)
		fr_cfg_nests(&all.cfg, one_loop, &all);
	fr_cfg_loops(&all.cfg, one_loop, &all);
	fr_cfg_free(&all.cfg);
	fr_map_free(&all.first);
}
