/*
 * Data flow of a function into its graph of influence (influence.h): each operand of an instruction
 * influences its result. Like flow.c, but from the definitions to the uses, for all values at once.
 *
 * A tracked local holds everything that is stored into it anywhere in the function. A value that is
 * stored elsewhere is followed only if readers can find the write (symbols/depends.h): the address
 * is a constant of the linker, or it is that of the read from which the value comes, or the read is
 * in the same block. Then the value must come from reads through arithmetic alone.
 */
#include "influence.h"
#include "base/assert.h"
#include <string.h>

#define USES_MAX 2000
#define TREE_MAX 24    /* operations between a read and a store that is near */
#define BACK_MAX 64    /* instructions between a store into a local and a load of it */
#define PARAMS_MAX 255 /* later arguments count as used */

/* ---- locals ---- */

/* Do all uses of this address only load, store or copy a fixed number of bytes? */
static bool uses_known(LLVMValueRef v, unsigned *budget)
{
	for (LLVMUseRef x = LLVMGetFirstUse(v); x; x = LLVMGetNextUse(x)) {
		LLVMValueRef i = LLVMGetUser(x);
		const char *name;

		if (!(*budget)-- || !LLVMIsAInstruction(i))
			return false;
		switch (LLVMGetInstructionOpcode(i)) {
		case LLVMLoad:
			if (LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
				return false;
			break;
		case LLVMStore:
			if (LLVMGetOperand(i, 0) == v ||
			    LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
				return false;
			break;
		case LLVMICmp:
			break;
		case LLVMGetElementPtr:
		case LLVMBitCast:
			if (!uses_known(i, budget))
				return false;
			break;
		case LLVMCall:
			name = fr_intrinsic(i);
			if (!name || (!fr_starts(name, "lifetime.") && !fr_memop_fixed(i)))
				return false;
			break;
		default:
			return false;
		}
	}
	return true;
}

LLVMValueRef fr_inf_local(struct fr_inf *g, LLVMValueRef ptr)
{
	LLVMValueRef base = fr_underlying(ptr);
	unsigned budget = USES_MAX;
	uint64_t *slot;

	if (!LLVMIsAAllocaInst(base))
		return NULL;
	slot = fr_map_put(&g->tracked, (uintptr_t)base);
	if (!*slot)
		*slot = uses_known(base, &budget) ? 2 : 1;
	return *slot == 2 ? base : NULL;
}

bool fr_inf_fixed(LLVMValueRef ptr)
{
	LLVMValueRef base;

	if (!LLVMIsAConstant(ptr))
		return false;
	base = fr_underlying(ptr);
	return LLVMIsAGlobalVariable(base) && !LLVMIsThreadLocal(base);
}

LLVMValueRef fr_inf_forwarded(struct fr_inf *g, LLVMValueRef load)
{
	LLVMValueRef ptr = LLVMGetOperand(load, 0), i = LLVMGetPreviousInstruction(load);

	fr_assert(LLVMIsALoadInst(load));
	if (!LLVMIsAAllocaInst(ptr) || !fr_inf_local(g, ptr))
		return NULL;
	for (unsigned n = 0; i && n < BACK_MAX; n++, i = LLVMGetPreviousInstruction(i)) {
		if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == ptr)
			return LLVMTypeOf(LLVMGetOperand(i, 0)) == LLVMTypeOf(load)
				   ? LLVMGetOperand(i, 0)
				   : NULL;
		if ((LLVMIsAStoreInst(i) && fr_underlying(LLVMGetOperand(i, 1)) == ptr) ||
		    (LLVMIsACallInst(i) && fr_memop_fixed(i)))
			return NULL;
	}
	return NULL;
}

/* ---- stores ---- */

static bool is_recorded(struct fr_inf *g, LLVMValueRef i, bool write)
{
	return fr_map_get(&g->recorded, fr_inf_key(i, write));
}

/* A read from which a stored value comes. */
static void from_read(struct fr_inf *g, LLVMValueRef read, LLVMValueRef store)
{
	uint32_t to = fr_inf_node(g, FR_NODE_VALUE, fr_inf_key(store, true), 0);
	struct fr_inf_edge e = {.from = fr_inf_value(g, read), .to = to};

	fr_assert(LLVMIsALoadInst(read) && LLVMIsAStoreInst(store));
	if (fr_same_address(LLVMGetOperand(read, 0), LLVMGetOperand(store, 1))) {
		e.where = FR_WHERE_SAME;
	} else if (LLVMGetInstructionParent(read) == LLVMGetInstructionParent(store) &&
		   LLVMGetOrdering(read) == LLVMAtomicOrderingNotAtomic) {
		e.read = read;
		e.write = store;
	} else {
		fr_inf_add(g, e.from,
			   fr_inf_node(g, FR_NODE_USED, (uintptr_t)store, FR_USE_STORED));
		return;
	}
	fr_vec_push(&g->edge, e);
}

/* Follows the value back to reads through arithmetic. Everything else on the way is used. */
static void stored_tree(struct fr_inf *g, LLVMValueRef v, LLVMValueRef store, unsigned *budget)
{
	LLVMValueRef before = LLVMIsALoadInst(v) ? fr_inf_forwarded(g, v) : NULL;

	if (!LLVMIsAInstruction(v) && !LLVMIsAArgument(v))
		return;
	if (LLVMIsALoadInst(v) && is_recorded(g, v, false)) {
		from_read(g, v, store);
	} else if (before && *budget) {
		--*budget;
		stored_tree(g, before, store, budget);
	} else if (*budget &&
		   (LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) || LLVMIsASelectInst(v) ||
		    LLVMIsACmpInst(v) || LLVMIsAUnaryOperator(v) || LLVMIsAFreezeInst(v))) {
		--*budget;
		for (int k = 0; k < LLVMGetNumOperands(v); k++)
			stored_tree(g, LLVMGetOperand(v, (unsigned)k), store, budget);
	} else {
		fr_inf_flow(g, v, fr_inf_node(g, FR_NODE_USED, (uintptr_t)store, FR_USE_STORED));
	}
}

static void address(struct fr_inf *g, LLVMValueRef i, LLVMValueRef ptr)
{
	if (!LLVMIsAAllocaInst(ptr))
		fr_inf_flow(g, ptr, fr_inf_node(g, FR_NODE_USED, (uintptr_t)i, FR_USE_ADDRESS));
}

/* The value, or the contents of a local (memory), goes to an address. */
static void store(struct fr_inf *g, LLVMValueRef i, LLVMValueRef ptr, LLVMValueRef v, bool memory)
{
	LLVMValueRef local = fr_inf_local(g, ptr);
	unsigned budget = TREE_MAX;
	uint32_t to;

	if (local)
		to = fr_inf_contents(g, local);
	else if (is_recorded(g, i, true) && fr_inf_fixed(ptr))
		to = fr_inf_node(g, FR_NODE_VALUE, fr_inf_key(i, true), 0);
	else if (LLVMIsAStoreInst(i) && is_recorded(g, i, true)) {
		stored_tree(g, v, i, &budget);
		return;
	} else
		to = fr_inf_node(g, FR_NODE_USED, (uintptr_t)i, FR_USE_STORED);
	fr_assert(!memory || LLVMIsAAllocaInst(v));
	if (memory)
		fr_inf_add(g, fr_inf_contents(g, v), to);
	else
		fr_inf_flow(g, v, to);
}

/* memcpy, memmove, memset of a fixed size. */
static void copy(struct fr_inf *g, LLVMValueRef i)
{
	LLVMValueRef to = LLVMGetOperand(i, 0), from = LLVMGetOperand(i, 1), local;

	fr_assert(fr_memop_fixed(i));
	address(g, i, to);
	if (fr_starts(fr_intrinsic(i), "memset")) {
		store(g, i, to, from, false);
		return;
	}
	address(g, i, from);
	local = fr_inf_local(g, from);
	if (local)
		store(g, i, to, local, true);
	else if (is_recorded(g, i, false))
		store(g, i, to, i, false);
}

/* ---- calls ---- */

bool fr_inf_idle_asm(LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);

	if (!callee || !LLVMIsAInlineAsm(callee))
		return false;
#if LLVM_VERSION_MAJOR >= 18
	static const char *const idle[] = {"", "pause", "rep; nop", "rep nop", "rep;nop", "nop"};
	size_t n;
	const char *s = LLVMGetInlineAsmAsmString(callee, &n);

	for (size_t k = 0; k < fr_array_size(idle); k++)
		if (n == strlen(idle[k]) && !memcmp(s, idle[k], n))
			return true;
#endif
	return false;
}

static void arguments_used(struct fr_inf *g, LLVMValueRef i)
{
	uint32_t to = fr_inf_node(g, FR_NODE_USED, (uintptr_t)i, FR_USE_ARGUMENT);

	for (int k = 0; k < LLVMGetNumOperands(i); k++)
		fr_inf_flow(g, LLVMGetOperand(i, (unsigned)k), to);
}

/* Is argument k a pointer for `...`? The function may dereference it, as printf does for %s. */
static bool is_variable_pointer(LLVMValueRef fn, LLVMValueRef i, unsigned k)
{
	return (!LLVMIsAFunction(fn) || k >= LLVMCountParams(fn)) &&
	       LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, k))) == LLVMPointerTypeKind;
}

static void call(struct fr_inf *g, LLVMValueRef i)
{
	const char *name = fr_intrinsic(i);
	LLVMValueRef fn;

	if (name) {
		if (fr_memop_fixed(i))
			copy(g, i);
		else if (fr_memop_known(name) || fr_may_write(i))
			arguments_used(g, i);
		else
			for (unsigned k = 0; k < LLVMGetNumArgOperands(i); k++)
				fr_inf_flow(g, LLVMGetOperand(i, k), fr_inf_value(g, i));
		return;
	}
	if (!fr_callee_name(i, &fn) || LLVMIsACallBrInst(i)) {
		arguments_used(g, i);
		return;
	}
	for (unsigned k = 0; k < LLVMGetNumArgOperands(i); k++)
		fr_inf_flow(g, LLVMGetOperand(i, k),
			    k < PARAMS_MAX && !is_variable_pointer(fn, i, k)
				? fr_inf_node(g, FR_NODE_PARAM, (uintptr_t)fn, k)
				: fr_inf_node(g, FR_NODE_USED, (uintptr_t)i, FR_USE_ARGUMENT));
	if (LLVMTypeOf(i) != g->u->tvoid)
		fr_inf_add(g, fr_inf_node(g, FR_NODE_RESULT, (uintptr_t)fn, 0), fr_inf_value(g, i));
}

/* ---- instructions ---- */

/* The operands of a division that can make it trap. */
static void divide(struct fr_inf *g, LLVMValueRef i)
{
	LLVMValueRef by = LLVMGetOperand(i, 1);

	fr_inf_flow(g, by, fr_inf_node(g, FR_NODE_USED, (uintptr_t)i, FR_USE_OTHER));
}

static void operands(struct fr_inf *g, LLVMValueRef i, uint32_t to)
{
	for (int k = 0; k < LLVMGetNumOperands(i); k++)
		fr_inf_flow(g, LLVMGetOperand(i, (unsigned)k), to);
}

static void one(struct fr_inf *g, LLVMValueRef i)
{
	LLVMValueRef local;

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		address(g, i, LLVMGetOperand(i, 0));
		local = fr_inf_local(g, LLVMGetOperand(i, 0));
		if (local)
			fr_inf_add(g, fr_inf_contents(g, local), fr_inf_value(g, i));
		break;
	case LLVMStore:
		address(g, i, LLVMGetOperand(i, 1));
		store(g, i, LLVMGetOperand(i, 1), LLVMGetOperand(i, 0), false);
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		address(g, i, LLVMGetOperand(i, 0));
		for (unsigned k = 1; k < (LLVMIsAAtomicRMWInst(i) ? 2 : 3); k++)
			fr_inf_flow(
			    g, LLVMGetOperand(i, k),
			    fr_inf_fixed(LLVMGetOperand(i, 0))
				? fr_inf_value(g, i)
				: fr_inf_node(g, FR_NODE_USED, (uintptr_t)i, FR_USE_STORED));
		break;
	case LLVMCall:
	case LLVMInvoke:
	case LLVMCallBr:
		call(g, i);
		break;
	case LLVMRet:
		if (LLVMGetNumOperands(i))
			fr_inf_flow(g, LLVMGetOperand(i, 0),
				    fr_inf_node(g, FR_NODE_RESULT, (uintptr_t)g->f->fn, 0));
		break;
	case LLVMResume:
	case LLVMVAArg:
	case LLVMAlloca:
		operands(g, i, fr_inf_node(g, FR_NODE_USED, (uintptr_t)i, FR_USE_OTHER));
		break;
	case LLVMUDiv:
	case LLVMSDiv:
	case LLVMURem:
	case LLVMSRem:
		divide(g, i);
		operands(g, i, fr_inf_value(g, i));
		break;
	case LLVMBr:
	case LLVMSwitch:
	case LLVMIndirectBr:
	case LLVMUnreachable:
	case LLVMFence:
	case LLVMLandingPad:
		break;
	default:
		operands(g, i, fr_inf_value(g, i));
	}
}

void fr_inf_data(struct fr_inf *g)
{
	/* A read that influences nothing has a node too: without one, it would matter. */
	FR_VEC_FOREACH (a, &g->f->access)
		if (!a->write)
			fr_inf_value(g, a->inst);
	FR_VEC_FOREACH (a, &g->f->atomic)
		if (!LLVMIsAStoreInst(*a) && !LLVMIsAFenceInst(*a))
			fr_inf_value(g, *a);
	for (unsigned b = 0; b < g->cfg.n; b++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(g->cfg.block[b]); i;
		     i = LLVMGetNextInstruction(i))
			one(g, i);
}
