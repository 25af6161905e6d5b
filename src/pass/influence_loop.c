/*
 * Loops that end whatever the program reads while it runs: a natural loop with one latch and an
 * exit that every iteration tests, where the test compares a counter with something that does not
 * change in the loop. The counter is an induction variable (iv.c) or, without optimisation, a
 * tracked local that one instruction of the loop changes by a constant.
 *
 * A loop with a wide counter counts as ending, even if it takes longer than anyone waits. Loops
 * with a test of another form count as endless.
 */
#include "affine.h"
#include "base/assert.h"
#include "influence.h"

/* The counter of a test, and the value it is compared with. */
struct counter {
	int64_t step;
	bool nsw, nuw;
	LLVMValueRef bound;
};

static bool inside(struct fr_inf *g, const struct fr_loop_cfg *l, LLVMValueRef v)
{
	unsigned b = LLVMIsAInstruction(v) ? fr_cfg_number(&g->cfg, LLVMGetInstructionParent(v))
					   : UINT32_MAX;

	return b != UINT32_MAX && fr_loop_has(l, b);
}

/* The stores into a local within the loop: their number, and one of them. */
static unsigned stores(struct fr_inf *g, const struct fr_loop_cfg *l, LLVMValueRef local,
		       LLVMValueRef *ret)
{
	unsigned n = 0;

	for (LLVMUseRef x = LLVMGetFirstUse(local); x; x = LLVMGetNextUse(x)) {
		LLVMValueRef i = LLVMGetUser(x);

		if (LLVMIsALoadInst(i) || !inside(g, l, i))
			continue;
		n += LLVMIsAStoreInst(i) ? 1 : 2; /* copies and parts are not followed */
		*ret = i;
	}
	return n;
}

/* Does the value not change in the loop? */
static bool constant_in(struct fr_inf *g, const struct fr_loop_cfg *l, LLVMValueRef v)
{
	LLVMValueRef s;

	if (!inside(g, l, v))
		return true;
	if (LLVMIsACastInst(v))
		return constant_in(g, l, LLVMGetOperand(v, 0));
	return LLVMIsALoadInst(v) && LLVMIsAAllocaInst(LLVMGetOperand(v, 0)) &&
	       fr_inf_local(g, LLVMGetOperand(v, 0)) && !stores(g, l, LLVMGetOperand(v, 0), &s);
}

/* Does each iteration pass this block at most once? */
static bool once(struct fr_inf *g, const struct fr_loop_cfg *l, unsigned block)
{
	FR_VEC(unsigned) todo = {0};
	struct fr_map seen = {0};
	bool again = false;

	fr_vec_push(&todo, block);
	while (todo.n && !again) {
		unsigned x = todo.v[--todo.n];

		for (unsigned i = g->cfg.succ_at[x]; i < g->cfg.succ_at[x + 1]; i++) {
			unsigned s = g->cfg.succ[i];
			uint64_t *slot;

			if (s == l->header || !fr_loop_has(l, s))
				continue;
			again |= s == block;
			slot = fr_map_put(&seen, s);
			if (!*slot)
				fr_vec_push(&todo, s);
			*slot = 1;
		}
	}
	fr_vec_free(&todo);
	fr_map_free(&seen);
	return !again;
}

/* A tracked local as a counter. */
static bool local_counter(struct fr_inf *g, const struct fr_loop_cfg *l, LLVMValueRef v,
			  struct counter *c)
{
	LLVMValueRef local, store = NULL, add, from;
	unsigned at;

	if (!LLVMIsALoadInst(v) || !LLVMIsAAllocaInst(LLVMGetOperand(v, 0)) || !inside(g, l, v))
		return false;
	local = fr_inf_local(g, LLVMGetOperand(v, 0));
	if (!local || stores(g, l, local, &store) != 1)
		return false;
	at = fr_cfg_number(&g->cfg, LLVMGetInstructionParent(store));
	if (!fr_cfg_dominates(&g->cfg, at, l->latch) || !once(g, l, at))
		return false;
	add = LLVMGetOperand(store, 0);
	if (!LLVMIsABinaryOperator(add) || LLVMGetInstructionOpcode(add) != LLVMAdd ||
	    !fr_constant(LLVMGetOperand(add, 1), &c->step))
		return false;
	from = LLVMGetOperand(add, 0);
	c->nsw = LLVMGetNSW(add);
	c->nuw = LLVMGetNUW(add);
	return LLVMIsALoadInst(from) && LLVMGetOperand(from, 0) == local && inside(g, l, from);
}

static bool register_counter(const struct fr_ivs *x, LLVMValueRef v, struct counter *c)
{
	FR_VEC_FOREACH (iv, &x->iv)
		if ((iv->phi == v || iv->next == v) && !iv->by) {
			c->step = iv->step;
			c->nsw = iv->narrow && iv->nsw;
			c->nuw = iv->narrow && iv->nuw;
			return true;
		}
	return false;
}

/* Can the bound plus k be computed without overflow? Only known for constants. */
static bool has_room(LLVMValueRef bound, int64_t k, bool is_signed)
{
	unsigned width;
	int64_t b, r;

	if (!LLVMIsAConstantInt(bound) || !fr_constant(bound, &b))
		return false;
	width = LLVMGetIntTypeWidth(LLVMTypeOf(bound));
	if (width > 64 || __builtin_add_overflow(b, k, &r))
		return false;
	if (is_signed)
		return width == 64 ||
		       (r >= -(INT64_C(1) << (width - 1)) && r < INT64_C(1) << (width - 1));
	return b >= 0 && r >= 0 && (width == 64 || r < INT64_C(1) << width);
}

/* The loop goes on while `counter p bound`. */
static bool ends(LLVMIntPredicate p, const struct counter *c)
{
	bool is_signed = p == LLVMIntSLT || p == LLVMIntSLE || p == LLVMIntSGT || p == LLVMIntSGE;
	bool safe = (is_signed ? c->nsw : c->nuw) || has_room(c->bound, c->step, is_signed);

	switch (p) {
	case LLVMIntEQ:
		return c->step;
	case LLVMIntNE:
		return c->step == 1 || c->step == -1;
	case LLVMIntSLT:
	case LLVMIntULT:
		return c->step == 1 || (c->step > 0 && safe);
	case LLVMIntSLE:
	case LLVMIntULE:
		return c->step > 0 && safe;
	case LLVMIntSGT:
	case LLVMIntUGT:
		return c->step == -1 || (c->step < 0 && safe);
	case LLVMIntSGE:
	case LLVMIntUGE:
		return c->step < 0 && safe;
	default:
		return false;
	}
}

static LLVMIntPredicate turned(LLVMIntPredicate p, bool negate, bool exchange)
{
	static const LLVMIntPredicate of[][3] = {
	    {LLVMIntEQ, LLVMIntNE, LLVMIntEQ},	  {LLVMIntNE, LLVMIntEQ, LLVMIntNE},
	    {LLVMIntULT, LLVMIntUGE, LLVMIntUGT}, {LLVMIntUGE, LLVMIntULT, LLVMIntULE},
	    {LLVMIntUGT, LLVMIntULE, LLVMIntULT}, {LLVMIntULE, LLVMIntUGT, LLVMIntUGE},
	    {LLVMIntSLT, LLVMIntSGE, LLVMIntSGT}, {LLVMIntSGE, LLVMIntSLT, LLVMIntSLE},
	    {LLVMIntSGT, LLVMIntSLE, LLVMIntSLT}, {LLVMIntSLE, LLVMIntSGT, LLVMIntSGE},
	};

	for (unsigned side = 1; side <= 2; side++)
		for (size_t i = 0; (side == 1 ? negate : exchange) && i < fr_array_size(of); i++)
			if (of[i][0] == p) {
				p = of[i][side];
				break;
			}
	return p;
}

/* Does the branch at the end of this block of the loop end it some time? */
static bool leaves(struct fr_inf *g, const struct fr_loop_cfg *l, const struct fr_ivs *x,
		   unsigned b)
{
	LLVMValueRef t = LLVMGetBasicBlockTerminator(g->cfg.block[b]), cond;
	const unsigned *succ = &g->cfg.succ[g->cfg.succ_at[b]];

	if (!LLVMIsABranchInst(t) || !LLVMIsConditional(t) ||
	    fr_loop_has(l, succ[0]) == fr_loop_has(l, succ[1]) ||
	    !fr_cfg_dominates(&g->cfg, b, l->latch))
		return false;
	cond = LLVMGetCondition(t);
	if (!LLVMIsAICmpInst(cond))
		return false;
	for (unsigned side = 0; side < 2; side++) {
		LLVMValueRef v = LLVMGetOperand(cond, side);
		struct counter c = {.bound = LLVMGetOperand(cond, !side)};

		if (constant_in(g, l, c.bound) &&
		    (register_counter(x, v, &c) || local_counter(g, l, v, &c)) &&
		    ends(turned(LLVMGetICmpPredicate(cond), !fr_loop_has(l, succ[0]), side), &c))
			return true;
	}
	return false;
}

bool fr_inf_ends(struct fr_inf *g, unsigned header)
{
	struct fr_loop_cfg l;
	struct fr_ivs x = {.u = g->u, .cfg = &g->cfg, .loop = &l};
	bool found = false;

	fr_assert(header < g->cfg.n);
	if (fr_cfg_loop(&g->cfg, header, &l)) {
		fr_ivs_find(&x);
		for (size_t k = 0; k < l.body.n && !found; k++)
			found = leaves(g, &l, &x, l.body.v[k]);
	}
	fr_vec_free(&x.iv);
	fr_cfg_loop_free(&l);
	g->u->count[FR_PC_loops_end] += found;
	return found;
}
