/*
 * Marks of pointers that are read: would a null reach a dereference, before the function compares
 * it with null (ExceptioNULL, section 4)?
 *
 * The pointer is followed forwards, through casts, address arithmetic, phis, selects and locals.
 * Dereferences are accesses through it, calls of functions that require it not to be null, and
 * calls of functions of the module that dereference the parameter themselves. Then the blocks that
 * a null reaches are walked: at a comparison with null, only along the side of null.
 *
 * This is only to try likely candidates first: a wrong mark loses none. Not seen: the order of
 * stores into a local; pointers that other functions or memory get (neither bit is set then).
 */
#include "base/assert.h"
#include "mark.h"
#include <string.h>

#define VALUES_MAX 64
#define BLOCKS_MAX 400
#define DEPTH_MAX 3

#define DEREFERENCE 1
#define PASSED 2 /* to where the rest is not known */

struct null {
	struct fr_marks *k;
	unsigned depth;
	struct fr_map value; /* the pointer, and pointers made of it */
	struct fr_map local; /* locals that hold it */
	FR_VEC(LLVMValueRef) todo;
	struct fr_map block; /* block -> DEREFERENCE | PASSED */
	bool pointer;	     /* one of the values is a pointer */
	bool checked;
};

static unsigned of_value(struct fr_marks *k, LLVMValueRef v, LLVMBasicBlockRef from, unsigned depth,
			 bool *ret_pointer);

static bool holds(const struct null *w, LLVMValueRef v)
{
	return fr_map_get(&w->value, (uintptr_t)v);
}

static void follow(struct null *w, LLVMValueRef v)
{
	uint64_t *seen = fr_map_put(&w->value, (uintptr_t)v);

	if (*seen || w->todo.n >= VALUES_MAX)
		return;
	*seen = 1;
	w->pointer |= LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
	fr_vec_push(&w->todo, v);
}

static void happens(struct null *w, LLVMValueRef i, unsigned what)
{
	*fr_map_put(&w->block, (uintptr_t)LLVMGetInstructionParent(i)) |= what;
}

/* A local that holds the pointer: its loads. */
static void follow_local(struct null *w, LLVMValueRef local)
{
	uint64_t *seen = fr_map_put(&w->local, (uintptr_t)local);

	if (*seen)
		return;
	*seen = 1;
	for (LLVMUseRef u = LLVMGetFirstUse(local); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef i = LLVMGetUser(u);

		if (LLVMIsALoadInst(i))
			follow(w, i);
		else if (LLVMIsACallInst(i) && !fr_intrinsic(i))
			happens(w, i, PASSED);
	}
}

/* Does the called function dereference its n-th argument, whatever it is? */
static unsigned argument(struct null *w, LLVMValueRef call, unsigned n)
{
	static const char *const attr[] = {"nonnull", "dereferenceable"};
	const char *name, *intrinsic = fr_intrinsic(call);
	bool pointer;
	LLVMValueRef fn;

	fr_assert(n < LLVMGetNumArgOperands(call));
	if (intrinsic)
		return fr_memop_known(intrinsic) ? DEREFERENCE : 0;
	name = fr_callee_name(call, &fn);
	for (size_t i = 0; fn && i < fr_array_size(attr); i++) {
		unsigned kind = LLVMGetEnumAttributeKindForName(attr[i], strlen(attr[i]));

		if (LLVMGetEnumAttributeAtIndex(fn, n + 1, kind) ||
		    LLVMGetCallSiteEnumAttribute(call, n + 1, kind))
			return DEREFERENCE;
	}
	if (name && LLVMIsDeclaration(fn) && (!strncmp(name, "str", 3) || !strncmp(name, "mem", 3)))
		return DEREFERENCE;
	if (fn && w->depth < DEPTH_MAX && fr_mark_number(w->k, fn) != SIZE_MAX &&
	    n < LLVMCountParams(fn)) {
		unsigned bits = of_value(w->k, LLVMGetParam(fn, n), LLVMGetEntryBasicBlock(fn),
					 w->depth + 1, &pointer);

		return bits & FR_SITE_DEREFERENCED ? DEREFERENCE
		       : bits & FR_SITE_CHECKED	   ? 0
						   : PASSED;
	}
	return PASSED;
}

static void call(struct null *w, LLVMValueRef i, LLVMValueRef v)
{
	if (LLVMGetCalledValue(i) == v)
		happens(w, i, DEREFERENCE);
	for (unsigned n = 0; n < LLVMGetNumArgOperands(i); n++)
		if (LLVMGetOperand(i, n) == v)
			happens(w, i, argument(w, i, n));
}

/* One use of the value. */
static void use(struct null *w, LLVMValueRef i, LLVMValueRef v)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		happens(w, i, DEREFERENCE);
		break;
	case LLVMStore:
		if (LLVMGetOperand(i, 1) == v)
			happens(w, i, DEREFERENCE);
		else if (LLVMIsAAllocaInst(LLVMGetOperand(i, 1)))
			follow_local(w, LLVMGetOperand(i, 1));
		else
			happens(w, i, PASSED);
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		happens(w, i, LLVMGetOperand(i, 0) == v ? DEREFERENCE : PASSED);
		break;
	case LLVMGetElementPtr:
		if (LLVMGetOperand(i, 0) == v)
			follow(w, i);
		break;
	case LLVMBitCast:
	case LLVMIntToPtr:
	case LLVMPHI:
	case LLVMFreeze:
		follow(w, i);
		break;
	case LLVMSelect:
		if (LLVMGetOperand(i, 0) != v)
			follow(w, i);
		break;
	case LLVMCall:
	case LLVMInvoke:
		call(w, i, v);
		break;
	case LLVMRet:
		happens(w, i, PASSED);
		break;
	default:
		break;
	}
}

/* The outcome of a condition if the pointer is null: 0, 1, or -1 if that does not decide it. */
static int outcome(const struct null *w, LLVMValueRef c, unsigned depth)
{
	int a, b;

	if (LLVMIsAConstantInt(c))
		return LLVMConstIntGetZExtValue(c) != 0;
	if (LLVMIsAICmpInst(c)) {
		LLVMIntPredicate p = LLVMGetICmpPredicate(c);
		LLVMValueRef x = LLVMGetOperand(c, 0), y = LLVMGetOperand(c, 1);

		if (p != LLVMIntEQ && p != LLVMIntNE)
			return -1;
		if ((holds(w, x) && LLVMIsNull(y)) || (holds(w, y) && LLVMIsNull(x)))
			return p == LLVMIntEQ;
		return -1;
	}
	if (depth > 4 || !LLVMIsAInstruction(c))
		return -1;
	switch (LLVMGetInstructionOpcode(c)) {
	case LLVMXor:
		a = outcome(w, LLVMGetOperand(c, 0), depth + 1);
		return LLVMIsAConstantInt(LLVMGetOperand(c, 1)) && a >= 0 ? !a : -1;
	case LLVMAnd:
	case LLVMOr:
		a = outcome(w, LLVMGetOperand(c, 0), depth + 1);
		b = outcome(w, LLVMGetOperand(c, 1), depth + 1);
		if (LLVMGetInstructionOpcode(c) == LLVMAnd)
			return !a || !b ? 0 : a == 1 && b == 1 ? 1 : -1;
		return a == 1 || b == 1 ? 1 : !a && !b ? 0 : -1;
	case LLVMSelect:
		a = outcome(w, LLVMGetOperand(c, 0), depth + 1);
		return a < 0 ? -1 : outcome(w, LLVMGetOperand(c, a ? 1 : 2), depth + 1);
	default:
		return -1;
	}
}

/* Walks the blocks that a null reaches. Returns the events in them. */
static unsigned walk(struct null *w, LLVMBasicBlockRef from)
{
	FR_VEC(LLVMBasicBlockRef) todo = {0};
	struct fr_map seen = {0};
	unsigned what = 0;

	fr_vec_push(&todo, from);
	for (size_t i = 0; i < todo.n && i < BLOCKS_MAX && !(what & DEREFERENCE); i++) {
		LLVMValueRef t = LLVMGetBasicBlockTerminator(todo.v[i]);
		const uint64_t *here = fr_map_get(&w->block, (uintptr_t)todo.v[i]);
		int only = -1;

		what |= here ? (unsigned)*here : 0;
		if (t && LLVMIsABranchInst(t) && LLVMIsConditional(t))
			only = outcome(w, LLVMGetCondition(t), 0);
		w->checked |= only >= 0;
		for (unsigned s = 0; t && s < LLVMGetNumSuccessors(t); s++) {
			uint64_t *slot = fr_map_put(&seen, (uintptr_t)LLVMGetSuccessor(t, s));

			if (!*slot && (only < 0 || only != (int)s))
				fr_vec_push(&todo, LLVMGetSuccessor(t, s));
			*slot |= only < 0 || only != (int)s;
		}
	}
	fr_vec_free(&todo);
	fr_map_free(&seen);
	return what;
}

/* The bits of a value that is defined in the block. */
static unsigned of_value(struct fr_marks *k, LLVMValueRef v, LLVMBasicBlockRef from, unsigned depth,
			 bool *ret_pointer)
{
	struct null w = {.k = k, .depth = depth};
	unsigned what;

	follow(&w, v);
	for (size_t i = 0; i < w.todo.n; i++)
		for (LLVMUseRef u = LLVMGetFirstUse(w.todo.v[i]); u; u = LLVMGetNextUse(u))
			if (LLVMIsAInstruction(LLVMGetUser(u)))
				use(&w, LLVMGetUser(u), w.todo.v[i]);
	*ret_pointer = w.pointer;
	what = w.pointer ? walk(&w, from) : 0;
	fr_map_free(&w.value);
	fr_map_free(&w.local);
	fr_map_free(&w.block);
	fr_vec_free(&w.todo);
	return what & DEREFERENCE ? FR_SITE_DEREFERENCED
	       : what & PASSED	  ? 0
	       : w.checked	  ? FR_SITE_CHECKED
				  : 0;
}

unsigned fr_mark_pointer(struct fr_marks *k, struct fr_func *f, LLVMValueRef read)
{
	LLVMTypeRef t = LLVMTypeOf(read);
	bool pointer;
	unsigned bits;

	fr_assert(LLVMIsALoadInst(read) && !f->depth);
	if (LLVMGetTypeKind(t) != LLVMPointerTypeKind && t != k->u->i64)
		return 0;
	bits = of_value(k, read, LLVMGetInstructionParent(read), 0, &pointer);
	return pointer ? bits | FR_SITE_POINTER : 0;
}
