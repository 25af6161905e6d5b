/*
 * Escape analysis of locals: an alloca (or an argument passed by value in memory) escapes when its
 * address is stored, returned, converted to a number, or passed to a call that may keep it.
 *
 * Comparing the address does not count. Conservative: any use that is not understood escapes. Loses
 * nothing: no other thread can have the address of the memory.
 */
#include "func.h"
#include <string.h>

#define USES_MAX 2000

struct escape_walk {
	FR_VEC(LLVMValueRef) todo;
	struct fr_map seen;
	unsigned uses;
};

static void follow(struct escape_walk *w, LLVMValueRef v)
{
	uint64_t *slot = fr_map_put(&w->seen, (uintptr_t)v);

	if (!*slot) {
		*slot = 1;
		fr_vec_push(&w->todo, v);
	}
}

/* 1: does not escape, 0: escapes, 2: the result is the pointer again. */
static int intrinsic_use(const char *name)
{
	static const char *const fine[] = {
	    "lifetime.", "memcpy.",    "memmove.",   "memset.",	      "dbg.",
	    "va_start",	 "va_end",     "va_copy",    "masked.load",   "assume",
	    "prefetch",	 "objectsize", "invariant.", "memcpy.inline", "memset.inline"};
	static const char *const same[] = {"launder.invariant", "strip.invariant", "ptrmask",
					   "threadlocal.address", "ptr.annotation"};

	for (size_t i = 0; i < fr_array_size(same); i++)
		if (fr_starts(name, same[i]))
			return 2;
	for (size_t i = 0; i < fr_array_size(fine); i++)
		if (fr_starts(name, fine[i]))
			return 1;
	return 0;
}

static bool param_attr(LLVMValueRef call, unsigned arg, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	LLVMValueRef fn;

	if (!kind)
		return false;
	if (LLVMGetCallSiteEnumAttribute(call, arg + 1, kind))
		return true;
	fr_callee_name(call, &fn);
	return fn && LLVMGetEnumAttributeAtIndex(fn, arg + 1, kind);
}

static bool call_keeps(struct escape_walk *w, LLVMValueRef call, LLVMValueRef v)
{
	const char *intrinsic = fr_intrinsic(call);
	unsigned n = LLVMGetNumArgOperands(call);
	int r;

	if (intrinsic) {
		if (fr_starts(intrinsic, "masked.store"))
			return LLVMGetOperand(call, 0) == v;
		r = intrinsic_use(intrinsic);
		if (r == 2)
			follow(w, call);
		return !r;
	}
	if (LLVMGetCalledValue(call) == v)
		return true;
	for (unsigned i = 0; i < n; i++)
		if (LLVMGetOperand(call, i) == v && !param_attr(call, i, "nocapture") &&
		    !param_attr(call, i, "byval"))
			return true;
	return LLVMGetNumOperandBundles(call) > 0;
}

static bool use_keeps(struct escape_walk *w, LLVMValueRef user, LLVMValueRef v)
{
	if (!LLVMIsAInstruction(user))
		return true;
	switch (LLVMGetInstructionOpcode(user)) {
	case LLVMLoad:
	case LLVMICmp:
		return false;
	case LLVMStore:
		return LLVMGetOperand(user, 0) == v;
	case LLVMAtomicRMW:
		return LLVMGetOperand(user, 1) == v;
	case LLVMAtomicCmpXchg:
		return LLVMGetOperand(user, 1) == v || LLVMGetOperand(user, 2) == v;
	case LLVMGetElementPtr:
	case LLVMBitCast:
	case LLVMPHI:
	case LLVMSelect:
	case LLVMFreeze:
		follow(w, user);
		return false;
	case LLVMCall:
	case LLVMInvoke:
		return call_keeps(w, user, v);
	default:
		return true;
	}
}

bool fr_escapes(LLVMValueRef local)
{
	struct escape_walk w = {0};
	bool escapes = false;

	follow(&w, local);
	while (w.todo.n && !escapes) {
		LLVMValueRef v = w.todo.v[--w.todo.n];

		for (LLVMUseRef x = LLVMGetFirstUse(v); x && !escapes; x = LLVMGetNextUse(x))
			escapes = ++w.uses > USES_MAX || use_keeps(&w, LLVMGetUser(x), v);
	}
	fr_vec_free(&w.todo);
	fr_map_free(&w.seen);
	return escapes;
}

LLVMValueRef fr_underlying(LLVMValueRef p)
{
	for (unsigned i = 0; i < 100; i++) {
		if (LLVMIsAGetElementPtrInst(p) || LLVMIsABitCastInst(p) || LLVMIsAFreezeInst(p)) {
			p = LLVMGetOperand(p, 0);
		} else if (LLVMIsAConstantExpr(p) && (LLVMGetConstOpcode(p) == LLVMGetElementPtr ||
						      LLVMGetConstOpcode(p) == LLVMBitCast)) {
			p = LLVMGetOperand(p, 0);
		} else if (LLVMIsACallInst(p) && fr_intrinsic(p) &&
			   intrinsic_use(fr_intrinsic(p)) == 2) {
			p = LLVMGetOperand(p, 0);
		} else {
			break;
		}
	}
	return p;
}
