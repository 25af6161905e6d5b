/*
 * Branches in the graph of influence (influence.h). The region of a branch: the blocks between it
 * and its immediate postdominator. A branch is *harmless* if nothing in its region can fail, wait
 * or be endless, and the graph contains every effect in it: arithmetic; accesses to tracked locals;
 * loads that cannot fault and stores to constants of the linker; direct calls (symbols/depends.h);
 * loops that end (influence_loop.c). Such a branch influences all of that and nothing else. Any
 * other branch is a BRANCH.
 *
 * The region is termination-sensitive: it ends for each outcome, so that the code after it executes
 * anyway. Exceptions: a call that throws is not harmless in the function that throws, so edges to
 * landing pads do not count here.
 */
#include "base/assert.h"
#include "influence.h"
#include <string.h>

#define REGION_MAX 64 /* larger regions are not harmless */
#define DEREF_MAX 4   /* accesses through one pointer that are remembered */

struct deref {
	unsigned block;
	uint64_t next; /* + 1 */
};

struct control {
	struct fr_inf *g;
	struct fr_map base; /* pointer -> last access through it + 1 */
	FR_VEC(struct deref) deref;
	unsigned *stamp, now; /* by block: the region that it is in */
	uint8_t *ends;	      /* by block: header of a loop that ends: 1 no, 2 yes */
	FR_VEC(unsigned) region;
	LLVMValueRef why; /* an instruction that makes the region not harmless */
};

/* ---- blocks ---- */

/* The address without constant offsets. */
static LLVMValueRef strip(LLVMValueRef p)
{
	while (LLVMIsAGetElementPtrInst(p)) {
		for (int k = 1; k < LLVMGetNumOperands(p); k++)
			if (!LLVMIsAConstantInt(LLVMGetOperand(p, (unsigned)k)))
				return p;
		p = LLVMGetOperand(p, 0);
	}
	return LLVMIsAConstant(p) ? fr_underlying(p) : p;
}

static LLVMValueRef accessed(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		return LLVMGetOperand(i, 0);
	case LLVMStore:
		return LLVMGetOperand(i, 1);
	default:
		return NULL;
	}
}

static void find_derefs(struct control *c)
{
	for (unsigned b = 0; b < c->g->cfg.n; b++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(c->g->cfg.block[b]); i;
		     i = LLVMGetNextInstruction(i)) {
			LLVMValueRef p = accessed(i);
			uint64_t *first;

			p = p ? strip(p) : NULL;
			if (!p || LLVMIsAConstant(p) || LLVMIsAAllocaInst(p))
				continue;
			first = fr_map_put(&c->base, (uintptr_t)p);
			fr_vec_push(&c->deref, ((struct deref){b, *first}));
			*first = c->deref.n;
		}
}

static bool dereferenceable(LLVMValueRef arg)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("dereferenceable", 15);
	LLVMValueRef fn = LLVMGetParamParent(arg);

	fr_assert(LLVMIsAArgument(arg));
	for (unsigned i = 0; i < LLVMCountParams(fn); i++)
		if (LLVMGetParam(fn, i) == arg)
			return LLVMGetEnumAttributeAtIndex(fn, i + 1, kind);
	return false;
}

/* Can a load from this address in the block not fault? */
static bool safe(struct control *c, unsigned block, LLVMValueRef ptr)
{
	LLVMValueRef p = strip(ptr);
	const uint64_t *first;
	unsigned budget = DEREF_MAX;

	if (LLVMIsAAllocaInst(p))
		return true;
	if (LLVMIsAGlobalVariable(p))
		return LLVMGetLinkage(p) != LLVMExternalWeakLinkage;
	if (LLVMIsAConstant(p))
		return false;
	if (LLVMIsAArgument(p) && dereferenceable(p))
		return true;
	first = fr_map_get(&c->base, (uintptr_t)p);
	for (uint64_t n = first ? *first : 0; n && budget--; n = c->deref.v[n - 1].next)
		if (c->deref.v[n - 1].block != block &&
		    fr_cfg_dominates(&c->g->cfg, c->deref.v[n - 1].block, block))
			return true;
	return false;
}

/* May the block store here? */
static bool storable(struct control *c, LLVMValueRef ptr)
{
	if (fr_inf_local(c->g, ptr))
		return LLVMIsAAllocaInst(strip(ptr));
	return fr_inf_fixed(ptr);
}

static bool harmless_call(struct control *c, unsigned block, LLVMValueRef i)
{
	unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
	const char *name = fr_intrinsic(i);
	LLVMValueRef fn;

	if (name && fr_memop_fixed(i))
		return storable(c, LLVMGetOperand(i, 0)) &&
		       (!strncmp(name, "memset", 6) || safe(c, block, LLVMGetOperand(i, 1)));
	if (name)
		return !fr_memop_known(name) && !fr_may_write(i) && !strstr(name, "trap") &&
		       strncmp(name, "eh.", 3) && strncmp(name, "coro.", 5);
	if (LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
		return fr_inf_idle_asm(i);
	/* Recursion may be endless. influence_table.c finds that of several functions. */
	if (!fr_callee_name(i, &fn) || fn == c->g->f->fn || fr_call_attr(i, "noreturn") ||
	    fr_call_attr(i, "returns_twice"))
		return false;
	for (unsigned k = 0; k < LLVMGetNumArgOperands(i); k++)
		if (LLVMGetCallSiteEnumAttribute(i, k + 1, byval))
			return false;
	return true;
}

static bool harmless(struct control *c, unsigned block, LLVMValueRef i)
{
	LLVMValueRef by;

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		return LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic &&
		       safe(c, block, LLVMGetOperand(i, 0));
	case LLVMStore:
		return LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic &&
		       storable(c, LLVMGetOperand(i, 1));
	case LLVMCall:
	case LLVMInvoke:
		return harmless_call(c, block, i);
	case LLVMUDiv:
	case LLVMSDiv:
	case LLVMURem:
	case LLVMSRem:
		by = LLVMGetOperand(i, 1);
		return LLVMIsAConstantInt(by) && !LLVMIsNull(by) &&
		       LLVMConstIntGetSExtValue(by) != -1;
	case LLVMAlloca:
		return LLVMIsAConstant(LLVMGetOperand(i, 0));
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
	case LLVMFence:
	case LLVMVAArg:
	case LLVMCallBr:
	case LLVMIndirectBr:
	case LLVMUnreachable:
	case LLVMResume:
	case LLVMLandingPad:
		return false;
	default:
		return true;
	}
}

static void find_bad(struct control *c)
{
	for (unsigned b = 0; b < c->g->cfg.n; b++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(c->g->cfg.block[b]);
		     i && !c->g->bad[b]; i = LLVMGetNextInstruction(i))
			if (!harmless(c, b, i))
				c->g->bad[b] = i;
}

/* ---- regions ---- */

/* Adds a block to the region. Returns false if that makes it not harmless. */
static bool enter(struct control *c, unsigned b)
{
	fr_assert(b < c->g->cfg.n && c->now);
	if (c->stamp[b] == c->now)
		return true;
	c->why = c->g->bad[b];
	if (c->why || c->region.n >= REGION_MAX)
		return false;
	c->stamp[b] = c->now;
	fr_vec_push(&c->region, b);
	return true;
}

/* Does each cycle within the region end? */
static bool cycles_end(struct control *c)
{
	const struct fr_cfg *f = &c->g->cfg;

	for (size_t k = 0; k < c->region.n; k++)
		for (unsigned i = 0, b = c->region.v[k]; i < fr_flow_successors(f, b); i++) {
			unsigned h = f->succ[f->succ_at[b] + i];

			if (h > b || c->stamp[h] != c->now)
				continue;
			c->why = LLVMGetBasicBlockTerminator(f->block[b]);
			if (!fr_cfg_dominates(f, h, b))
				return false;
			if (!c->ends[h])
				c->ends[h] = fr_inf_ends(c->g, h) ? 2 : 1;
			if (c->ends[h] == 1)
				return false;
		}
	return true;
}

/* Finds the blocks from the successors of b (from b itself: self) up to, and without, `end`. */
static bool find_region(struct control *c, unsigned b, unsigned end, bool self)
{
	const struct fr_cfg *f = &c->g->cfg;

	c->region.n = 0;
	c->now++;
	c->why = NULL;
	fr_assert(b < f->n);
	if (self && !enter(c, b))
		return false;
	for (size_t k = 0; k <= c->region.n; k++) {
		unsigned x = k ? c->region.v[k - 1] : b;

		for (unsigned i = 0; i < fr_flow_successors(f, x); i++) {
			unsigned s = f->succ[f->succ_at[x] + i];

			if (s != end && !enter(c, s))
				return false;
		}
	}
	return cycles_end(c);
}

/* ---- influences ---- */

static void phis(struct fr_inf *g, uint32_t from, unsigned block)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(g->cfg.block[block]); i && LLVMIsAPHINode(i);
	     i = LLVMGetNextInstruction(i))
		fr_inf_add(g, from, fr_inf_value(g, i));
}

/* All that the execution of an instruction changes. */
static void effects(struct fr_inf *g, uint32_t from, LLVMValueRef i)
{
	LLVMValueRef local = NULL, fn;

	if (LLVMIsAStoreInst(i))
		local = fr_inf_local(g, LLVMGetOperand(i, 1));
	else if (LLVMIsACallInst(i) && fr_memop_fixed(i))
		local = fr_inf_local(g, LLVMGetOperand(i, 0));
	if (local)
		fr_inf_add(g, from, fr_inf_contents(g, local));
	if (LLVMIsAReturnInst(i) && LLVMGetNumOperands(i))
		fr_inf_add(g, from, fr_inf_node(g, FR_NODE_RESULT, (uintptr_t)g->f->fn, 0));
	if ((LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && !fr_intrinsic(i) &&
	    fr_callee_name(i, &fn))
		fr_inf_add(g, from, fr_inf_node(g, FR_NODE_CALLED, (uintptr_t)fn, 0));
}

/* The node for the execution of a block. */
static uint32_t execute(struct fr_inf *g, unsigned b)
{
	FR_VEC(uintptr_t) key = {0};
	uint32_t e = g->execute[b];

	fr_assert(b < g->cfg.n);
	if (e != FR_INF_INNER)
		return e;
	e = g->execute[b] = (uint32_t)g->node.n;
	fr_vec_push(&g->node, ((struct fr_inf_node){FR_INF_INNER}));
	phis(g, e, b);
	for (LLVMValueRef i = LLVMGetFirstInstruction(g->cfg.block[b]); i;
	     i = LLVMGetNextInstruction(i)) {
		effects(g, e, i);
		if (fr_map_get(&g->recorded, fr_inf_key(i, false)))
			fr_vec_push(&key, fr_inf_key(i, false));
		if (LLVMIsACallInst(i) && fr_map_get(&g->recorded, fr_inf_key(i, true)))
			fr_vec_push(&key, fr_inf_key(i, true));
		if ((LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && !fr_intrinsic(i))
			fr_vec_push(&key, (uintptr_t)i);
	}
	if (key.n) {
		fr_inf_block(g->u, g->cfg.block[b], key.v, key.n);
		fr_inf_add(g, e, fr_inf_node(g, FR_NODE_EXECUTE, (uintptr_t)g->cfg.block[b], 0));
	}
	fr_vec_free(&key);
	return e;
}

/* Values of the region that are used outside: the branch decides how often they are computed. */
static void last_values(struct control *c, uint32_t cond)
{
	struct fr_inf *g = c->g;

	FR_VEC_FOREACH (b, &c->region)
		for (LLVMValueRef i = LLVMGetFirstInstruction(g->cfg.block[*b]); i;
		     i = LLVMGetNextInstruction(i))
			for (LLVMUseRef x = LLVMGetFirstUse(i); x; x = LLVMGetNextUse(x)) {
				unsigned at = fr_cfg_number(
				    &g->cfg, LLVMGetInstructionParent(LLVMGetUser(x)));

				if (at == UINT32_MAX || c->stamp[at] == c->now)
					continue;
				fr_inf_add(g, cond, fr_inf_value(g, i));
				break;
			}
}

static void branch(struct control *c, unsigned b)
{
	struct fr_inf *g = c->g;
	LLVMValueRef t = LLVMGetBasicBlockTerminator(g->cfg.block[b]), v;
	unsigned end = g->post.ipdom[b];
	uint32_t cond;

	if (fr_flow_successors(&g->cfg, b) < 2)
		return;
	v = LLVMIsABranchInst(t) ? LLVMGetCondition(t) : LLVMGetOperand(t, 0);
	if (!LLVMIsAInstruction(v) && !LLVMIsAArgument(v))
		return;
	if ((!LLVMIsABranchInst(t) && !LLVMIsASwitchInst(t)) || !find_region(c, b, end, false)) {
		fr_inf_flow(g, v, fr_inf_node(g, FR_NODE_BRANCH, (uintptr_t)t, 0));
		g->u->count[FR_PC_branches_matter]++;
		return;
	}
	g->u->count[FR_PC_branches_harmless]++;
	cond = fr_inf_value(g, v);
	FR_VEC_FOREACH (x, &c->region)
		fr_inf_add(g, cond, execute(g, *x));
	if (end < g->cfg.n)
		phis(g, cond, end);
	if (c->stamp[b] == c->now)
		last_values(c, cond);
}

/* Whether the function is executed. */
static void called(struct control *c)
{
	struct fr_inf *g = c->g;
	uint32_t e = fr_inf_node(g, FR_NODE_CALLED, (uintptr_t)g->f->fn, 0);

	if (!find_region(c, 0, g->cfg.n, true)) {
		fr_inf_add(g, e, fr_inf_node(g, FR_NODE_BRANCH, (uintptr_t)c->why, 0));
		return;
	}
	fr_inf_add(g, e, fr_inf_node(g, FR_NODE_EXECUTE, (uintptr_t)g->f->fn, 0));
	FR_VEC_FOREACH (b, &c->region)
		for (LLVMValueRef i = LLVMGetFirstInstruction(g->cfg.block[*b]); i;
		     i = LLVMGetNextInstruction(i))
			if ((LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && !fr_intrinsic(i))
				effects(g, e, i);
}

void fr_inf_control(struct fr_inf *g)
{
	struct control c = {.g = g};

	g->execute = fr_xcalloc(g->cfg.n, sizeof(*g->execute));
	g->bad = fr_xcalloc(g->cfg.n, sizeof(*g->bad));
	c.stamp = fr_xcalloc(g->cfg.n + 1, sizeof(*c.stamp));
	c.ends = fr_xcalloc(g->cfg.n, 1);
	for (unsigned b = 0; b < g->cfg.n; b++)
		g->execute[b] = FR_INF_INNER;
	find_derefs(&c);
	find_bad(&c);
	called(&c);
	for (unsigned b = 0; b < g->cfg.n; b++)
		branch(&c, b);
	fr_map_free(&c.base);
	fr_vec_free(&c.deref);
	fr_vec_free(&c.region);
	free(c.stamp);
	free(c.ends);
}
