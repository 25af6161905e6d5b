/*
 * Follows a value back to the reads that it depends on, and marks them. On the way it collects the
 * operations with constants, so that the mark says which values take the failing side.
 *
 * The value is followed through arithmetic, comparisons, casts, phis and selects, through locals,
 * and through calls within the module: from a parameter to the arguments, and from a result to the
 * values that the called function returns, or stores into a local whose address it gets. If it is
 * one of several constants, the branches that decide which one are followed. An operation on two
 * values that are not constant makes the test unknown. In `a && b` and `a || b`, each side keeps
 * its own test: the value that this side needs for the failing side, or that suffices for it,
 * whatever the other side is.
 *
 * Not followed: addresses of reads, reads in libc functions, calls through pointers and into other
 * modules, copies of structures, the order of stores into a local.
 */
#include "base/assert.h"
#include "format/site_test.h"
#include "mark.h"
#include <stdio.h>
#include <string.h>

#define DEPTH_MAX 4 /* calls */
#define VALUES_MAX 300
#define CALLERS_MAX 16

struct feed {
	struct fr_marks *k;
	const LLVMValueRef *call;
	size_t ncalls, depth;
	struct fr_map seen;
	size_t values;
};

static void feed(struct feed *w, struct fr_func *f, LLVMValueRef v, const char *test);

/* ---- tests ---- */

/* A new test: first the step, then the old test. NULL if the old one is unknown, or too long. */
static char *before(const char *test, const char *step)
{
	if (!test || strlen(test) + strlen(step) >= FR_MARK_TEST)
		return NULL;
	return *test ? fr_xasprintf("%s %s", step, test) : fr_xstrdup(step);
}

static unsigned width(struct feed *w, LLVMValueRef v)
{
	LLVMTypeRef t = LLVMTypeOf(v);

	if (LLVMGetTypeKind(t) == LLVMPointerTypeKind)
		return 64;
	return LLVMGetTypeKind(t) == LLVMIntegerTypeKind
		   ? (unsigned)LLVMSizeOfTypeInBits(w->k->u->dl, t)
		   : 0;
}

/* A constant of at most 64 bits. */
static bool constant(LLVMValueRef v, uint64_t *ret)
{
	if (LLVMIsAConstantPointerNull(v)) {
		*ret = 0;
		return true;
	}
	if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
		return false;
	*ret = LLVMConstIntGetZExtValue(v);
	return true;
}

static void feed_step(struct feed *w, struct fr_func *f, LLVMValueRef v, const char *step,
		      const char *test)
{
	FR_CLEANUP(fr_freep) char *t = before(test, step);

	feed(w, f, v, t);
}

static void unknown(struct feed *w, struct fr_func *f, LLVMValueRef i)
{
	for (int n = 0; n < LLVMGetNumOperands(i); n++)
		feed(w, f, LLVMGetOperand(i, (unsigned)n), NULL);
}

/* ---- operations ---- */

/* The step for a comparison of a value with the constant c on its right; n bits. */
static bool comparison(LLVMIntPredicate p, uint64_t c, unsigned n, char *ret, size_t size)
{
	uint64_t s = n < 64 && c >> (n - 1) & 1 ? c | ~UINT64_C(0) << n : c;

	switch (p) {
	case LLVMIntEQ:
	case LLVMIntNE:
		snprintf(ret, size, "=%llx%s", (unsigned long long)c, p == LLVMIntNE ? " ^1" : "");
		return true;
	case LLVMIntULT:
	case LLVMIntUGE:
		snprintf(ret, size, "l%llx%s", (unsigned long long)c, p == LLVMIntUGE ? " ^1" : "");
		return true;
	case LLVMIntUGT:
	case LLVMIntULE:
		snprintf(ret, size, "g%llx%s", (unsigned long long)c, p == LLVMIntULE ? " ^1" : "");
		return true;
	case LLVMIntSLT:
	case LLVMIntSGE:
		snprintf(ret, size, "s%x L%llx%s", n, (unsigned long long)s,
			 p == LLVMIntSGE ? " ^1" : "");
		return true;
	case LLVMIntSGT:
	case LLVMIntSLE:
		snprintf(ret, size, "s%x G%llx%s", n, (unsigned long long)s,
			 p == LLVMIntSLE ? " ^1" : "");
		return true;
	default:
		return false;
	}
}

/* The same comparison with its sides exchanged. */
static LLVMIntPredicate exchanged(LLVMIntPredicate p)
{
	static const LLVMIntPredicate of[][2] = {
	    {LLVMIntULT, LLVMIntUGT}, {LLVMIntUGT, LLVMIntULT}, {LLVMIntULE, LLVMIntUGE},
	    {LLVMIntUGE, LLVMIntULE}, {LLVMIntSLT, LLVMIntSGT}, {LLVMIntSGT, LLVMIntSLT},
	    {LLVMIntSLE, LLVMIntSGE}, {LLVMIntSGE, LLVMIntSLE},
	};

	for (size_t i = 0; i < fr_array_size(of); i++)
		if (of[i][0] == p)
			return of[i][1];
	return p;
}

static void compare(struct feed *w, struct fr_func *f, LLVMValueRef i, const char *test)
{
	LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
	LLVMIntPredicate p = LLVMGetICmpPredicate(i);
	unsigned n = width(w, a);
	char step[64];
	uint64_t c;

	if (constant(a, &c)) {
		LLVMValueRef x = a;

		a = b;
		b = x;
		p = exchanged(p);
	}
	if (n && n <= 64 && constant(b, &c) && comparison(p, c, n, step, sizeof(step)))
		feed_step(w, f, a, step, test);
	else
		unknown(w, f, i);
}

/* An operation with a constant on its right. */
static bool step_of(LLVMOpcode op, uint64_t c, unsigned n, char *ret, size_t size)
{
	static const struct {
		LLVMOpcode op;
		char letter;
	} steps[] = {
	    {LLVMAdd, '+'}, {LLVMMul, '*'},  {LLVMAnd, '&'},  {LLVMOr, '|'},   {LLVMXor, '^'},
	    {LLVMShl, '<'}, {LLVMLShr, '>'}, {LLVMUDiv, '/'}, {LLVMURem, '%'}, {LLVMSub, '-'},
	};

	for (size_t i = 0; i < fr_array_size(steps); i++)
		if (steps[i].op == op) {
			bool minus = steps[i].letter == '-';

			snprintf(ret, size, "%c%llx t%x", minus ? '+' : steps[i].letter,
				 (unsigned long long)(minus ? -c : c), n);
			return true;
		}
	return false;
}

static void arithmetic(struct feed *w, struct fr_func *f, LLVMValueRef i, const char *test)
{
	LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
	LLVMOpcode op = LLVMGetInstructionOpcode(i);
	unsigned n = width(w, i);
	char step[64];
	uint64_t c;

	if (n && n <= 64 && constant(b, &c) && step_of(op, c, n, step, sizeof(step))) {
		feed_step(w, f, a, step, test);
	} else if (n == 1 && (op == LLVMAnd || op == LLVMOr)) {
		feed(w, f, a, test);
		feed(w, f, b, test);
	} else {
		unknown(w, f, i);
	}
}

static void choose(struct feed *w, struct fr_func *f, LLVMValueRef i, const char *test)
{
	LLVMValueRef c = LLVMGetOperand(i, 0), a = LLVMGetOperand(i, 1), b = LLVMGetOperand(i, 2);
	bool logical = width(w, i) == 1 && (LLVMIsAConstantInt(a) || LLVMIsAConstantInt(b));
	uint64_t yes;

	/* c ? x : false is an and, c ? true : x an or; c ? false : x and c ? x : true deny c. */
	if (logical && constant(LLVMIsAConstantInt(a) ? a : b, &yes)) {
		bool denied = LLVMIsAConstantInt(a) ? !yes : yes;

		if (denied)
			feed_step(w, f, c, "^1", test);
		else
			feed(w, f, c, test);
	} else {
		feed(w, f, c, NULL);
	}
	feed(w, f, a, test);
	feed(w, f, b, test);
}

static void cast(struct feed *w, struct fr_func *f, LLVMValueRef i, const char *test)
{
	LLVMValueRef a = LLVMGetOperand(i, 0);
	unsigned from = width(w, a), to = width(w, i);
	char step[64] = "";

	if (!from || !to || from > 64 || to > 64) {
		feed(w, f, a, NULL);
		return;
	}
	if (LLVMGetInstructionOpcode(i) == LLVMSExt)
		snprintf(step, sizeof(step), "s%x t%x", from, to);
	else if (to < from)
		snprintf(step, sizeof(step), "t%x", to);
	if (*step)
		feed_step(w, f, a, step, test);
	else
		feed(w, f, a, test);
}

/* ---- constants ---- */

/* Blocks in which a value becomes a constant: [1] one that fails, [0] another. */
struct constants {
	struct feed *w;
	struct fr_func *f;
	const char *test;
	FR_VEC(LLVMBasicBlockRef) at[2];
	bool denied; /* the conditions lead to at[0] */
};

static void add_constant(struct constants *x, LLVMValueRef v, LLVMBasicBlockRef at)
{
	uint64_t c;
	bool known, fails;

	if (!x->test || !constant(v, &c))
		return;
	fails = fr_site_test(x->test, c, &known);
	if (known)
		fr_vec_push(&x->at[fails], at);
}

static void decider(void *ctx, LLVMValueRef cond, const char *test)
{
	const struct constants *x = ctx;
	FR_CLEANUP(fr_freep)
	char *t = test ? fr_xasprintf("%s%s", test, x->denied ? " =0" : "") : NULL;

	feed(x->w, x->f, cond, t);
}

/* The branches that decide which of the constants it is. */
static void end_constants(struct constants *x)
{
	fr_assert(!x->denied);
	if (x->at[1].n &&
	    !fr_mark_deciders(x->w->k, x->f->fn, x->at[1].v, x->at[1].n, decider, x) &&
	    x->at[0].n) {
		/* The variable starts with a failing value, so the branch fails unless another
		   value is stored. */
		x->denied = true;
		fr_mark_deciders(x->w->k, x->f->fn, x->at[0].v, x->at[0].n, decider, x);
	}
	fr_vec_free(&x->at[0]);
	fr_vec_free(&x->at[1]);
}

/* A constant may also come along one side of a branch, as in a && b. */
static void merge(struct feed *w, struct fr_func *f, LLVMValueRef phi, const char *test)
{
	struct constants x = {.w = w, .f = f, .test = test};
	LLVMBasicBlockRef here = LLVMGetInstructionParent(phi);

	fr_assert(LLVMIsAPHINode(phi));
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
		LLVMValueRef v = LLVMGetIncomingValue(phi, i),
			     t = LLVMGetBasicBlockTerminator(from);
		uint64_t c;
		bool known;

		if (!LLVMIsABranchInst(t) || !LLVMIsConditional(t))
			add_constant(&x, v, from);
		else if (test && constant(v, &c) && fr_site_test(test, c, &known) &&
			 LLVMGetSuccessor(t, 0) != LLVMGetSuccessor(t, 1))
			feed(w, f, LLVMGetCondition(t),
			     LLVMGetSuccessor(t, 0) == here ? "t1" : "^1");
		feed(w, f, v, test);
	}
	end_constants(&x);
}

/* ---- memory and calls ---- */

/* The values that the function stores through this pointer, n bits wide. */
static void stored(struct feed *w, struct fr_func *f, LLVMValueRef pointer, unsigned n,
		   const char *test)
{
	for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef i = LLVMGetUser(u), v;

		if (!LLVMIsAStoreInst(i) || LLVMGetOperand(i, 1) != pointer)
			continue;
		v = LLVMGetOperand(i, 0);
		feed(w, f, v, n && n == width(w, v) ? test : NULL);
	}
}

/* The values that the function stores through its nth parameter, which may be in a local first. */
static void filled(struct feed *w, struct fr_func *f, unsigned nth, unsigned n, const char *test)
{
	LLVMValueRef p = LLVMGetParam(f->fn, nth);

	stored(w, f, p, n, test);
	for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef i = LLVMGetUser(u), local;

		if (!LLVMIsAStoreInst(i) || LLVMGetOperand(i, 0) != p)
			continue;
		local = LLVMGetOperand(i, 1);
		for (LLVMUseRef x = LLVMIsAAllocaInst(local) ? LLVMGetFirstUse(local) : NULL; x;
		     x = LLVMGetNextUse(x))
			if (LLVMIsALoadInst(LLVMGetUser(x)))
				stored(w, f, LLVMGetUser(x), n, test);
	}
}

/* The values that functions of the module store into a local whose address they get. */
static void passed(struct feed *w, LLVMValueRef local, unsigned n, const char *test)
{
	for (LLVMUseRef u = LLVMGetFirstUse(local); u && w->depth < DEPTH_MAX;
	     u = LLVMGetNextUse(u)) {
		LLVMValueRef i = LLVMGetUser(u), fn;
		size_t k;

		if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i))
			continue;
		fr_callee_name(i, &fn);
		k = fn ? fr_mark_number(w->k, fn) : SIZE_MAX;
		w->depth++;
		for (unsigned a = 0; k != SIZE_MAX && a < LLVMGetNumArgOperands(i); a++)
			if (LLVMGetOperand(i, a) == local && a < LLVMCountParams(fn))
				filled(w, &w->k->f[k], a, n, test);
		w->depth--;
	}
}

/* The values stored into a local: the same value if it is stored whole. */
static void local(struct feed *w, struct fr_func *f, LLVMValueRef load, LLVMValueRef base,
		  const char *test)
{
	const struct fr_value_flow *d = fr_mark_flow(w->k, (size_t)(f - w->k->f));
	const uint64_t *first = fr_map_get(&d->stores, (uintptr_t)base);
	struct constants x = {.w = w, .f = f, .test = test};
	unsigned n = width(w, load);

	for (uint64_t s = first ? *first : 0; s; s = d->store.v[s - 1].next) {
		LLVMValueRef store = d->store.v[s - 1].inst, v;

		if (!LLVMIsAStoreInst(store))
			continue;
		v = LLVMGetOperand(store, 0);
		if (fr_same_address(LLVMGetOperand(store, 1), LLVMGetOperand(load, 0))) {
			bool whole = n && n == width(w, v);

			if (whole)
				add_constant(&x, v, LLVMGetInstructionParent(store));
			feed(w, f, v, whole ? test : NULL);
		} else if (!LLVMIsAGetElementPtrInst(LLVMGetOperand(store, 1))) {
			feed(w, f, v, NULL);
		}
	}
	end_constants(&x);
	passed(w, base, n, test);
}

static void mark(struct feed *w, LLVMValueRef read, const char *test)
{
	for (size_t i = 0; i < w->ncalls; i++)
		fr_mark_add(w->k, read, test ? test : "", w->call[i]);
}

static void load(struct feed *w, struct fr_func *f, LLVMValueRef i, const char *test)
{
	const struct fr_value_flow *d = fr_mark_flow(w->k, (size_t)(f - w->k->f));
	LLVMValueRef base = fr_underlying(LLVMGetOperand(i, 0));

	if (fr_map_get(&d->reads, (uintptr_t)i) ||
	    LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
		mark(w, i, test);
	if (LLVMIsAAllocaInst(base))
		local(w, f, i, base, test);
}

/* The results of the called function. */
static void result(struct feed *w, struct fr_func *f, LLVMValueRef call, const char *test)
{
	const char *intrinsic = fr_intrinsic(call);
	LLVMValueRef fn;
	size_t n;

	if (intrinsic && (!strncmp(intrinsic, "expect", 6) || !strncmp(intrinsic, "ssa.copy", 8))) {
		feed(w, f, LLVMGetOperand(call, 0), test);
		return;
	}
	if (intrinsic) {
		unknown(w, f, call);
		return;
	}
	fr_callee_name(call, &fn);
	n = fn ? fr_mark_number(w->k, fn) : SIZE_MAX;
	if (n == SIZE_MAX || w->depth >= DEPTH_MAX)
		return;
	w->depth++;
	FR_VEC_FOREACH (x, &w->k->f[n].exit)
		if (LLVMIsAReturnInst(*x) && LLVMGetNumOperands(*x))
			feed(w, &w->k->f[n], LLVMGetOperand(*x, 0), test);
	w->depth--;
}

/* The arguments of the callers in the module. */
static void parameter(struct feed *w, struct fr_func *f, LLVMValueRef v, const char *test)
{
	unsigned nth = 0, callers = 0;

	while (LLVMGetParam(f->fn, nth) != v)
		nth++;
	if (w->depth >= DEPTH_MAX)
		return;
	w->depth++;
	for (LLVMUseRef u = LLVMGetFirstUse(f->fn); u && callers < CALLERS_MAX;
	     u = LLVMGetNextUse(u)) {
		LLVMValueRef call = LLVMGetUser(u);
		size_t n;

		if ((!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call)) ||
		    LLVMGetCalledValue(call) != f->fn || LLVMGetNumArgOperands(call) <= nth)
			continue;
		n = fr_mark_number(w->k, LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
		callers++;
		if (n != SIZE_MAX)
			feed(w, &w->k->f[n], LLVMGetOperand(call, nth), test);
	}
	w->depth--;
}

/* A part of a structure: of the result of a compare-and-swap, part 0 is the value that it read. */
static void part(struct feed *w, struct fr_func *f, LLVMValueRef v, const char *test)
{
	if (LLVMIsAAtomicCmpXchgInst(LLVMGetOperand(v, 0)) && LLVMGetIndices(v)[0] == 0)
		mark(w, LLVMGetOperand(v, 0), test);
	else
		feed(w, f, LLVMGetOperand(v, 0), NULL);
}

/* Is the value computed, and not examined before? Notes that it is examined. */
static bool is_new(struct feed *w, LLVMValueRef v)
{
	uint64_t *seen;

	if (LLVMIsAConstant(v) || (!LLVMIsAInstruction(v) && !LLVMIsAArgument(v)))
		return false;
	seen = fr_map_put(&w->seen, (uintptr_t)v);
	if (*seen || w->values++ >= VALUES_MAX)
		return false;
	*seen = 1;
	return true;
}

static void feed(struct feed *w, struct fr_func *f, LLVMValueRef v, const char *test)
{
	if (!is_new(w, v))
		return;
	if (LLVMIsAArgument(v)) {
		parameter(w, f, v, test);
		return;
	}
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMICmp:
		compare(w, f, v, test);
		break;
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
	case LLVMShl:
	case LLVMLShr:
	case LLVMUDiv:
	case LLVMURem:
		arithmetic(w, f, v, test);
		break;
	case LLVMSelect:
		choose(w, f, v, test);
		break;
	case LLVMPHI:
		merge(w, f, v, test);
		break;
	case LLVMFreeze:
		feed(w, f, LLVMGetOperand(v, 0), test);
		break;
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMBitCast:
		cast(w, f, v, test);
		break;
	case LLVMLoad:
		load(w, f, v, test);
		break;
	case LLVMAtomicRMW:
		mark(w, v, test);
		break;
	case LLVMAtomicCmpXchg:
		mark(w, v, NULL);
		break;
	case LLVMExtractValue:
		part(w, f, v, test);
		break;
	case LLVMCall:
	case LLVMInvoke:
		result(w, f, v, test);
		break;
	case LLVMAlloca:
	case LLVMGetElementPtr:
	case LLVMLandingPad:
		break;
	default:
		unknown(w, f, v);
	}
}

void fr_mark_feed(struct fr_marks *k, struct fr_func *f, LLVMValueRef value, const char *test,
		  const LLVMValueRef *call, size_t ncalls)
{
	struct feed w = {.k = k, .call = call, .ncalls = ncalls};

	fr_assert(f >= k->f && f < k->f + k->n && !f->depth);
	if (ncalls)
		feed(&w, f, value, test);
	fr_map_free(&w.seen);
}
