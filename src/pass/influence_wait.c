/*
 * Waiting loops (influence.h): a loop without side effects whose only exit depends on a value that
 * the current iteration reads. The read may also be a compare-and-exchange, exchange or
 * test-and-set that takes a lock in a loop, or a call that tries to take one lock, such as
 * pthread_mutex_trylock; sched_yield, pause, usleep and the like belong to the loop.
 *
 * FR_SITE_WAITS promises: if an earlier read of the loop returned another value, the loop would
 * continue, or would exit exactly as it did after the last read. So either one value alone ends the
 * loop (`== constant`, a successful compare-and-exchange), or the value is used for nothing but the
 * exit. Two other reads count too. One is the copy of the test before a loop that the optimiser has
 * turned into do ... while. The other decides where the loop continues, as the first read in
 * `while (taken || exchange(&taken, 1))`.
 * Not found: loops with several exits, and exits that depend on two reads at once.
 */
#include "base/assert.h"
#include "influence.h"
#include <string.h>

#define CHAIN_MAX 12
#define BACK_MAX 8

struct influence_wait {
	struct fr_inf *g;
	const struct fr_loop_cfg *l;	  /* NULL: the test before the loop, in `only` */
	const struct fr_loop_cfg *before; /* there: the loop */
	unsigned only;
	LLVMValueRef read; /* there: the read of the loop, of which the test has a copy */
};

static bool inside(const struct influence_wait *w, LLVMValueRef v)
{
	unsigned b = LLVMIsAInstruction(v) ? fr_cfg_number(&w->g->cfg, LLVMGetInstructionParent(v))
					   : UINT32_MAX;

	return b != UINT32_MAX && (w->l ? fr_loop_has(w->l, b) : b == w->only);
}

/* ---- the body ---- */

/* Is it a call that takes a lock or a unit of a semaphore if it is free, and then returns 0? */
static bool tries(LLVMValueRef i)
{
	static const char *const list[] = {"pthread_mutex_trylock",
					   "pthread_rwlock_tryrdlock",
					   "pthread_rwlock_trywrlock",
					   "pthread_spin_trylock",
					   "mtx_trylock",
					   "sem_trywait"};
	LLVMValueRef fn;
	const char *name =
	    LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) ? fr_callee_name(i, &fn) : NULL;

	for (size_t k = 0; name && k < fr_array_size(list); k++)
		if (!strcmp(name, list[k]))
			return true;
	return false;
}

/* Functions that wait, and do nothing that the program can see. */
static bool idles(const char *name)
{
	static const char *const list[] = {"sched_yield", "pthread_yield",   "thrd_yield", "usleep",
					   "nanosleep",	  "clock_nanosleep", "thrd_sleep"};
	static const char *const cpp[] = {"_ZNSt11this_thread9sleep_for",
					  "_ZNSt11this_thread5yield",
					  "_ZNSt11this_thread11sleep_until"};

	for (size_t i = 0; i < fr_array_size(list); i++)
		if (!strcmp(name, list[i]))
			return true;
	for (size_t i = 0; i < fr_array_size(cpp); i++)
		if (!strncmp(name, cpp[i], strlen(cpp[i])))
			return true;
	return false;
}

static bool constant_local(struct influence_wait *w, LLVMValueRef local, LLVMBasicBlockRef b,
			   unsigned depth, LLVMValueRef *ret);

/* Is nothing stored into the local in the loop? */
static bool unchanged(struct influence_wait *w, LLVMValueRef local)
{
	for (LLVMUseRef x = LLVMGetFirstUse(local); x; x = LLVMGetNextUse(x))
		if (!LLVMIsALoadInst(LLVMGetUser(x)) && inside(w, LLVMGetUser(x)))
			return false;
	return true;
}

/* Is v the copy of the loop's read in the test before the loop, or computed from it? */
static bool from_copy(struct influence_wait *w, LLVMValueRef v, unsigned depth)
{
	bool read = inside(w, v) &&
		    (LLVMIsALoadInst(v) || LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v));

	if (!inside(w, v) || !depth)
		return false;
	if (read && LLVMGetInstructionOpcode(v) == LLVMGetInstructionOpcode(w->read) &&
	    LLVMGetOperand(v, 0) == LLVMGetOperand(w->read, 0))
		return true;
	if (read) {
		v = LLVMIsALoadInst(v) ? fr_inf_forwarded(w->g, v) : NULL;
		return v && from_copy(w, v, depth - 1);
	}
	for (int k = 0; k < LLVMGetNumOperands(v); k++)
		if (from_copy(w, LLVMGetOperand(v, (unsigned)k), depth - 1))
			return true;
	return false;
}

/* A call that returns the same in each iteration, and does nothing else. */
static bool names_self(LLVMValueRef v)
{
	const char *name = LLVMIsACallInst(v) ? fr_callee_name(v, &(LLVMValueRef){NULL}) : NULL;

	return name && (!strcmp(name, "pthread_self") || !strcmp(name, "thrd_current"));
}

/* A value that is the same in each iteration, or a constant in the end. */
static bool steady(struct influence_wait *w, LLVMValueRef v)
{
	LLVMValueRef k = NULL, ptr;
	unsigned b;

	if (!inside(w, v) || (w->read && !from_copy(w, v, CHAIN_MAX)))
		return true;
	if (names_self(v))
		return true;
	if (LLVMIsACastInst(v))
		return steady(w, LLVMGetOperand(v, 0));
	if (!LLVMIsALoadInst(v) || !LLVMIsAAllocaInst(LLVMGetOperand(v, 0)))
		return false;
	ptr = LLVMGetOperand(v, 0);
	if (!fr_inf_local(w->g, ptr))
		return false;
	if (unchanged(w, ptr))
		return true;
	for (LLVMValueRef i = LLVMGetPreviousInstruction(v); i; i = LLVMGetPreviousInstruction(i))
		if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == ptr)
			return LLVMIsAConstant(LLVMGetOperand(i, 0)) ||
			       names_self(LLVMGetOperand(i, 0)) || !inside(w, LLVMGetOperand(i, 0));
	b = fr_cfg_number(&w->g->cfg, LLVMGetInstructionParent(v));
	for (unsigned i = w->g->cfg.pred_at[b]; i < w->g->cfg.pred_at[b + 1]; i++)
		if (!constant_local(w, ptr, w->g->cfg.block[w->g->cfg.pred[i]], BACK_MAX, &k))
			return false;
	return k != NULL;
}

/* Is the local always the constant *ret at the end of the block? *ret is NULL at first. */
static bool constant_local(struct influence_wait *w, LLVMValueRef local, LLVMBasicBlockRef block,
			   unsigned depth, LLVMValueRef *ret)
{
	unsigned b = fr_cfg_number(&w->g->cfg, block);

	fr_assert(LLVMIsAAllocaInst(local));
	for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i)) {
		LLVMValueRef v;

		if (!LLVMIsAStoreInst(i) || LLVMGetOperand(i, 1) != local) {
			if (LLVMIsACallInst(i) && fr_memop_fixed(i))
				return false;
			continue;
		}
		v = LLVMGetOperand(i, 0);
		if (!LLVMIsAConstant(v) || (*ret && *ret != v))
			return false;
		*ret = v;
		return true;
	}
	if (!depth || b == UINT32_MAX || w->g->cfg.pred_at[b] == w->g->cfg.pred_at[b + 1])
		return false;
	for (unsigned i = w->g->cfg.pred_at[b]; i < w->g->cfg.pred_at[b + 1]; i++)
		if (!constant_local(w, local, w->g->cfg.block[w->g->cfg.pred[i]], depth - 1, ret))
			return false;
	return true;
}

/* An operation that, done again with the same operand, changes nothing. */
static bool repeats(struct influence_wait *w, LLVMValueRef i)
{
	LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(i);

	fr_assert(LLVMIsAAtomicRMWInst(i));
	return (op == LLVMAtomicRMWBinOpXchg || op == LLVMAtomicRMWBinOpOr ||
		op == LLVMAtomicRMWBinOpAnd) &&
	       steady(w, LLVMGetOperand(i, 1));
}

/* An address that no step of the loop changes. Memory that it is read from counts as unchanged. */
static bool one_address(struct influence_wait *w, LLVMValueRef v, unsigned depth)
{
	LLVMValueRef ptr;

	if (!inside(w, v))
		return true;
	if (!depth || LLVMIsAPHINode(v))
		return false;
	if (LLVMIsALoadInst(v)) {
		ptr = LLVMGetOperand(v, 0);
		return LLVMIsAAllocaInst(ptr) ? !fr_inf_local(w->g, ptr) || unchanged(w, ptr)
					      : one_address(w, ptr, depth - 1);
	}
	if (!LLVMIsAGetElementPtrInst(v) && !LLVMIsACastInst(v))
		return false;
	for (int k = 0; k < LLVMGetNumOperands(v); k++)
		if (!one_address(w, LLVMGetOperand(v, (unsigned)k), depth - 1))
			return false;
	return true;
}

static bool quiet(struct influence_wait *w, LLVMValueRef i)
{
	const char *name;
	LLVMValueRef fn;

	if (tries(i))
		return one_address(w, LLVMGetOperand(i, 0), CHAIN_MAX);
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMStore:
		return fr_inf_local(w->g, LLVMGetOperand(i, 1)) != NULL;
	case LLVMAtomicRMW:
		return repeats(w, i);
	case LLVMAtomicCmpXchg:
		return steady(w, LLVMGetOperand(i, 1)) && steady(w, LLVMGetOperand(i, 2));
	case LLVMCall:
		name = fr_intrinsic(i);
		if (name)
			return fr_memop_fixed(i) ? fr_inf_local(w->g, LLVMGetOperand(i, 0)) != NULL
						 : !fr_may_write(i) && !strstr(name, "trap");
		name = fr_callee_name(i, &fn);
		return name ? idles(name) || names_self(i) : fr_inf_idle_asm(i);
	case LLVMInvoke:
		name = fr_callee_name(i, &fn);
		return name && idles(name);
	case LLVMVAArg:
	case LLVMCallBr:
	case LLVMIndirectBr:
	case LLVMRet:
	case LLVMUnreachable:
	case LLVMResume:
	case LLVMLandingPad:
		return false;
	default:
		return true;
	}
}

/* ---- the exit ---- */

/* Is the value that joins the read with its copy before the loop used in the loop alone? */
static bool private_join(struct influence_wait *w, LLVMValueRef phi)
{
	const struct fr_loop_cfg *l = w->l ? w->l : w->before;
	unsigned b = fr_cfg_number(&w->g->cfg, LLVMGetInstructionParent(phi));

	if (b == UINT32_MAX || !fr_loop_has(l, b))
		return false;
	for (LLVMUseRef x = LLVMGetFirstUse(phi); x; x = LLVMGetNextUse(x)) {
		LLVMValueRef i = LLVMGetUser(x);

		b = fr_cfg_number(&w->g->cfg, LLVMGetInstructionParent(i));
		if (b == UINT32_MAX || !fr_loop_has(l, b) || LLVMIsAPHINode(i) ||
		    LLVMIsACallInst(i) || LLVMIsAStoreInst(i))
			return false;
	}
	return true;
}

/* Is the value used in the loop alone? */
static bool private(struct influence_wait *w, LLVMValueRef v)
{
	for (LLVMUseRef x = LLVMGetFirstUse(v); x; x = LLVMGetNextUse(x)) {
		LLVMValueRef i = LLVMGetUser(x), local;

		if (LLVMIsAPHINode(i) && private_join(w, i))
			continue;
		if (!inside(w, i) || LLVMIsAPHINode(i) || LLVMIsACallInst(i))
			return false;
		if (!LLVMIsAStoreInst(i))
			continue;
		local = LLVMGetOperand(i, 0) == v ? fr_inf_local(w->g, LLVMGetOperand(i, 1)) : NULL;
		if (!local)
			return false;
		for (LLVMUseRef y = LLVMGetFirstUse(local); y; y = LLVMGetNextUse(y)) {
			LLVMValueRef j = LLVMGetUser(y);
			bool part = !LLVMIsALoadInst(j) && !LLVMIsAStoreInst(j) &&
				    !(LLVMIsACallInst(j) && !fr_memop_fixed(j));

			if (part || (LLVMIsALoadInst(j) && !inside(w, j)))
				return false;
		}
	}
	return true;
}

/* The operand of a step between the read and the branch; NULL if it is no such step. */
static LLVMValueRef step(struct influence_wait *w, LLVMValueRef v)
{
	LLVMValueRef found = NULL;

	if (LLVMIsALoadInst(v))
		return fr_inf_forwarded(w->g, v);
	if (!LLVMIsABinaryOperator(v) && !LLVMIsACastInst(v) && !LLVMIsACmpInst(v) &&
	    !LLVMIsAExtractValueInst(v) && !LLVMIsAFreezeInst(v))
		return NULL;
	for (int k = 0; k < LLVMGetNumOperands(v); k++) {
		LLVMValueRef o = LLVMGetOperand(v, (unsigned)k);

		if (steady(w, o))
			continue;
		if (found)
			return NULL;
		found = o;
	}
	return found;
}

/* Does one value alone leave the loop? on: the outcome of v that does. */
static bool one_value(LLVMValueRef v, bool on)
{
	LLVMIntPredicate p;
	LLVMValueRef a;

	if (LLVMIsAExtractValueInst(v))
		return LLVMGetIndices(v)[0] == 1 && on;
	if (!LLVMIsAICmpInst(v))
		return false;
	p = LLVMGetICmpPredicate(v);
	a = LLVMGetOperand(v, 0);
	return (p == LLVMIntEQ || p == LLVMIntNE) && (p == LLVMIntEQ) == on &&
	       (LLVMIsALoadInst(a) || LLVMIsAAtomicRMWInst(a) || LLVMIsAExtractValueInst(a) ||
		tries(a)) &&
	       LLVMIsAConstant(LLVMGetOperand(v, 1));
}

static bool is_read(struct influence_wait *w, LLVMValueRef v)
{
	return tries(v) ||
	       ((LLVMIsALoadInst(v) || LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v)) &&
		fr_map_get(&w->g->recorded, fr_inf_key(v, false)));
}

/* The last of several conditions, `a || b`: the value that a join takes unless an earlier one keeps
   the loop going. on: the outcome that leaves the loop. NULL: something else. */
static LLVMValueRef last_condition(struct influence_wait *w, LLVMValueRef phi, bool on)
{
	LLVMValueRef found = NULL;

	if (LLVMTypeOf(phi) != LLVMInt1TypeInContext(w->g->u->ctx))
		return NULL;
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		LLVMValueRef v = LLVMGetIncomingValue(phi, i);

		if (LLVMIsAConstantInt(v) && (LLVMConstIntGetZExtValue(v) != 0) != on)
			continue;
		if (found || LLVMIsAConstant(v))
			return NULL;
		found = v;
	}
	return found;
}

/* Follows the condition to the read that decides it. on: the outcome that leaves the loop. */
static LLVMValueRef decider(struct influence_wait *w, LLVMValueRef v, bool on)
{
	bool alone = false, used = false;

	for (unsigned n = 0; v && n < CHAIN_MAX && inside(w, v); n++) {
		if (LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMXor) {
			if (LLVMTypeOf(v) != LLVMInt1TypeInContext(w->g->u->ctx))
				return NULL;
			on = !on; /* a negation */
		}
		alone |= one_value(v, on);
		used |= !private(w, v);
		if (is_read(w, v))
			return alone || !used ? v : NULL;
		v = LLVMIsAPHINode(v) ? last_condition(w, v, on) : step(w, v);
	}
	return NULL;
}

/* Is the number of iterations visible outside: a value of the loop, other than the read, that is
   used there? */
static bool leaks(struct influence_wait *w, LLVMValueRef i, LLVMValueRef read)
{
	LLVMValueRef v = i, local;

	fr_assert(inside(w, read));
	if (LLVMIsAExtractValueInst(i) && LLVMGetOperand(i, 0) == read)
		i = v = read;
	for (LLVMUseRef x = i == read ? NULL : LLVMGetFirstUse(i); x; x = LLVMGetNextUse(x))
		if (!inside(w, LLVMGetUser(x)))
			return true;
	if (LLVMIsACallInst(i) && fr_memop_fixed(i))
		return true;
	if (!LLVMIsAStoreInst(i))
		return false;
	v = LLVMGetOperand(i, 0);
	local = fr_inf_local(w->g, LLVMGetOperand(i, 1));
	if (LLVMIsAConstant(v) || v == read ||
	    (LLVMIsAExtractValueInst(v) && LLVMGetOperand(v, 0) == read))
		return false;
	for (LLVMUseRef x = LLVMGetFirstUse(local); x; x = LLVMGetNextUse(x)) {
		LLVMValueRef j = LLVMGetUser(x);

		if (!LLVMIsAStoreInst(j) && !(LLVMIsACallInst(j) && fr_intrinsic(j)) &&
		    !(LLVMIsALoadInst(j) && inside(w, j)))
			return true;
	}
	return false;
}

/* ---- loops ---- */

/* The block to which an empty block leads. */
static unsigned skip_empty(const struct fr_cfg *c, unsigned b)
{
	fr_assert(b < c->n);
	for (unsigned n = 0; n < CHAIN_MAX; n++) {
		LLVMValueRef i = LLVMGetFirstInstruction(c->block[b]);

		if (!LLVMIsABranchInst(i) || LLVMIsConditional(i))
			break;
		b = c->succ[c->succ_at[b]];
	}
	return b;
}

/* The branch of this block, one side of which leads to `leave`, decided by a read. */
static LLVMValueRef test_of(struct influence_wait *w, unsigned b, unsigned leave)
{
	const struct fr_cfg *c = &w->g->cfg;
	LLVMValueRef t = LLVMGetBasicBlockTerminator(c->block[b]);

	if (!LLVMIsABranchInst(t) || !LLVMIsConditional(t))
		return NULL;
	return decider(w, LLVMGetCondition(t),
		       skip_empty(c, c->succ[c->succ_at[b]]) == skip_empty(c, leave));
}

/* The only edge out of the loop; false if there is none or several. */
static bool find_exit(const struct fr_inf *g, const struct fr_loop_cfg *l, unsigned *from,
		      unsigned *to)
{
	unsigned n = 0;

	for (size_t k = 0; k < l->body.n; k++)
		for (unsigned i = 0, b = l->body.v[k]; i < fr_flow_successors(&g->cfg, b); i++) {
			unsigned s = g->cfg.succ[g->cfg.succ_at[b] + i];

			if (fr_loop_has(l, s))
				continue;
			*from = b;
			*to = s;
			n++;
		}
	return n == 1;
}

/* Copies of the test in front of the loop. */
static void guards(struct fr_inf *g, const struct fr_loop_cfg *l, unsigned leave, LLVMValueRef of)
{
	const struct fr_cfg *c = &g->cfg;

	for (unsigned b = 0; b < c->n; b++) {
		struct influence_wait w = {.g = g, .before = l, .only = b, .read = of};
		unsigned a, z;
		LLVMValueRef read;

		if (fr_loop_has(l, b) || fr_flow_successors(c, b) != 2)
			continue;
		a = skip_empty(c, c->succ[c->succ_at[b]]);
		z = skip_empty(c, c->succ[c->succ_at[b] + 1]);
		if ((a != l->header || z != skip_empty(c, leave)) &&
		    (z != l->header || a != skip_empty(c, leave)))
			continue;
		read = test_of(&w, b, leave);
		if (read)
			fr_inf_waits(g->u, read);
	}
}

/* Is the loop without side effects, and does nothing of it count outside but the read? */
static bool only_waits(struct influence_wait *w, LLVMValueRef read)
{
	for (size_t k = 0; k < w->l->body.n; k++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(w->g->cfg.block[w->l->body.v[k]]); i;
		     i = LLVMGetNextInstruction(i))
			if (!quiet(w, i) || leaks(w, i, read))
				return false;
	return true;
}

/* The reads that decide, within the loop, where it goes on. */
static void inner_tests(struct influence_wait *w, unsigned from)
{
	for (size_t k = 0; k < w->l->body.n; k++) {
		unsigned b = w->l->body.v[k];
		LLVMValueRef t = LLVMGetBasicBlockTerminator(w->g->cfg.block[b]), read;

		if (b == from || !LLVMIsABranchInst(t) || !LLVMIsConditional(t))
			continue;
		read = decider(w, LLVMGetCondition(t), true);
		if (read && private(w, read))
			fr_inf_waits(w->g->u, read);
	}
}

void fr_inf_wait(struct fr_inf *g)
{
	for (unsigned h = 0; h < g->cfg.n; h++) {
		struct fr_loop_cfg l;
		struct influence_wait w = {.g = g, .l = &l};
		unsigned from = 0, to = 0;
		LLVMValueRef read = NULL;

		if (fr_cfg_loop_any(&g->cfg, h, &l) && find_exit(g, &l, &from, &to))
			read = test_of(&w, from, to);
		if (read && only_waits(&w, read)) {
			fr_inf_waits(g->u, read);
			inner_tests(&w, from);
			guards(g, &l, to, read);
		}
		fr_cfg_loop_free(&l);
	}
}
