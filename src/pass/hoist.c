/*
 * Moves a guarded load out of two nested loops, so that the nest can be recorded as a whole.
 *
 * The inner loop may run zero times, so LLVM may move an invariant load only in front of the inner
 * loop. In front of the outer one, the load could read memory that the source does not read
 * (speculate.c). This file moves it there together with its guard:
 *
 *	outer loop { if (c) { v = *p; inner loop } }
 * becomes
 *	if (c) v = *p; outer loop { if (c) { inner loop } }
 *
 * Conditions: c and p do not change in the outer loop; its header tests c, so that the source
 * executes the load in the first iteration if c holds; nothing in the loops writes *p, calls
 * anything or synchronises. This merges reads of the same memory and invents none.
 */
#include "alias.h"
#include "cfg.h"
#include "func.h"

struct hoist {
	struct fr_func *f;
	struct fr_cfg cfg;
	bool done; /* the control flow has changed */
};

/* The only block outside the loop that leads to its header, by one edge; or UINT32_MAX. */
static unsigned entry_of(const struct fr_cfg *c, const struct fr_loop_cfg *l)
{
	unsigned found = UINT32_MAX;

	for (unsigned i = c->pred_at[l->header]; i < c->pred_at[l->header + 1]; i++) {
		if (c->pred[i] == l->latch)
			continue;
		if (found != UINT32_MAX)
			return UINT32_MAX;
		found = c->pred[i];
	}
	return found;
}

static bool defined_in(const struct fr_cfg *c, const struct fr_loop_cfg *l, LLVMValueRef v)
{
	unsigned b =
	    LLVMIsAInstruction(v) ? fr_cfg_number(c, LLVMGetInstructionParent(v)) : UINT32_MAX;

	return b != UINT32_MAX && fr_loop_has(l, b);
}

/* True if nothing in the loop can change the loaded value. */
static bool unchanged(struct hoist *h, const struct fr_loop_cfg *l, LLVMValueRef load)
{
	for (size_t k = 0; k < l->body.n; k++) {
		LLVMValueRef i = LLVMGetFirstInstruction(h->cfg.block[l->body.v[k]]);

		for (; i; i = LLVMGetNextInstruction(i)) {
			if (LLVMIsACallInst(i) && !fr_intrinsic(i))
				return false;
			if (!fr_may_write(i))
				continue;
			if (!LLVMIsAStoreInst(i) || LLVMGetVolatile(i) ||
			    LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic ||
			    !fr_never_alias(h->f->u, load, LLVMGetOperand(load, 0), i,
					    LLVMGetOperand(i, 1)))
				return false;
		}
	}
	return true;
}

static bool movable(struct hoist *h, const struct fr_loop_cfg *l, LLVMValueRef i)
{
	return LLVMIsALoadInst(i) && !LLVMGetVolatile(i) &&
	       LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic &&
	       !defined_in(&h->cfg, l, LLVMGetOperand(i, 0)) && unchanged(h, l, i);
}

/* Reroutes the edge from the entry to the header through `first` to `last`. */
static void redirect(LLVMBasicBlockRef entry, LLVMBasicBlockRef header, LLVMBasicBlockRef first,
		     LLVMBasicBlockRef last)
{
	LLVMValueRef term = LLVMGetBasicBlockTerminator(entry), i;

	for (unsigned k = 0; k < LLVMGetNumSuccessors(term); k++)
		if (LLVMGetSuccessor(term, k) == header)
			LLVMSetSuccessor(term, k, first);
	for (i = LLVMGetFirstInstruction(header); i && LLVMIsAPHINode(i);
	     i = LLVMGetNextInstruction(i))
		fr_plugin_phi_from(i, entry, last);
}

/* Makes the blocks test -> read -> join in front of the header, with the load in `read`. */
static void move(struct hoist *h, unsigned entry, unsigned header, LLVMValueRef guard,
		 LLVMValueRef load)
{
	struct fr_pass_unit *u = h->f->u;
	LLVMBasicBlockRef from = h->cfg.block[entry], to = h->cfg.block[header];
	LLVMBasicBlockRef test = LLVMInsertBasicBlockInContext(u->ctx, to, "");
	LLVMBasicBlockRef read = LLVMInsertBasicBlockInContext(u->ctx, to, "");
	LLVMBasicBlockRef join = LLVMInsertBasicBlockInContext(u->ctx, to, "");
	LLVMValueRef c = LLVMGetCondition(guard), phi, value[2];
	bool first = LLVMGetSuccessor(guard, 0) == LLVMGetInstructionParent(load);
	LLVMBasicBlockRef source[2] = {read, test};

	LLVMPositionBuilderAtEnd(u->b, test);
	LLVMSetCurrentDebugLocation2(u->b, LLVMInstructionGetDebugLoc(guard));
	LLVMBuildCondBr(u->b, c, first ? read : join, first ? join : read);
	LLVMPositionBuilderAtEnd(u->b, join);
	phi = LLVMBuildPhi(u->b, LLVMTypeOf(load), "");
	LLVMBuildBr(u->b, to);
	LLVMReplaceAllUsesWith(load, phi);
	LLVMPositionBuilderAtEnd(u->b, read);
	LLVMSetCurrentDebugLocation2(u->b, LLVMInstructionGetDebugLoc(load));
	LLVMInstructionRemoveFromParent(load);
	LLVMInsertIntoBuilder(u->b, load);
	LLVMBuildBr(u->b, join);
	value[0] = load;
	value[1] = LLVMGetPoison(LLVMTypeOf(load));
	LLVMAddIncoming(phi, value, source, 2);
	redirect(from, to, test, join);
	h->done = true;
}

static void try_nest(void *ctx, struct fr_loop_cfg *l)
{
	struct hoist *h = ctx;
	unsigned entry = h->done ? UINT32_MAX : entry_of(&h->cfg, l);
	unsigned guarded = entry_of(&h->cfg, l->inner);
	LLVMValueRef guard, i;

	if (entry == UINT32_MAX || guarded == UINT32_MAX || !fr_loop_has(l, guarded) ||
	    h->cfg.pred_at[guarded + 1] - h->cfg.pred_at[guarded] != 1 ||
	    h->cfg.pred[h->cfg.pred_at[guarded]] != l->header)
		return;
	guard = LLVMGetBasicBlockTerminator(h->cfg.block[l->header]);
	if (!LLVMIsABranchInst(guard) || !LLVMIsConditional(guard) ||
	    LLVMGetSuccessor(guard, 0) == LLVMGetSuccessor(guard, 1) ||
	    defined_in(&h->cfg, l, LLVMGetCondition(guard)))
		return;
	for (i = LLVMGetFirstInstruction(h->cfg.block[guarded]); i; i = LLVMGetNextInstruction(i))
		if (movable(h, l, i)) {
			move(h, entry, l->header, guard, i);
			return;
		}
}

void fr_hoist(struct fr_func *f)
{
	struct hoist h = {.f = f};

	do {
		h.done = false;
		fr_cfg_build(&h.cfg, f->fn);
		fr_cfg_nests(&h.cfg, try_nest, &h);
		fr_cfg_free(&h.cfg);
	} while (h.done);
}
