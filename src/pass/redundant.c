/*
 * Leaves out a read that repeats an earlier read of its block: same address and size, nothing
 * between them that may write, synchronise or call.
 *
 * A read that a write to the same address follows in its block stays: it may be part of a
 * read-modify-write. Loses: the second of two reads between which another thread's write can come
 * only if it falls between two instructions of one block.
 */
#include "mark.h"
#include "base/assert.h"
#include <string.h>

#define WINDOW 64 /* accesses to look back at */

static bool no_memory(LLVMValueRef call)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
	LLVMAttributeIndex where = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
	LLVMAttributeRef a = NULL;
	LLVMValueRef fn;

	if (!kind)
		return false;
	a = LLVMGetCallSiteEnumAttribute(call, where, kind);
	if (a && !LLVMGetEnumAttributeValue(a))
		return true;
	fr_callee_name(call, &fn);
	a = fn ? LLVMGetEnumAttributeAtIndex(fn, where, kind) : NULL;
	return a && !LLVMGetEnumAttributeValue(a);
}

/* Intrinsics that LLVM says touch memory but that do not touch the program's. */
static bool harmless(const char *name)
{
	static const char *const list[] = {
	    "lifetime.",
	    "dbg.",
	    "assume",
	    "experimental.noalias",
	    "invariant.",
	    "launder.",
	    "strip.",
	    "annotation",
	    "ptr.annotation",
	    "var.annotation",
	    "stacksave",
	    "stackrestore",
	    "va_",
	    "prefetch",
	    "eh.",
	    "returnaddress",
	    "frameaddress",
	    "sideeffect",
	    "trap",
	    "debugtrap",
	    "ubsantrap",
	    "donothing",
	    "pseudoprobe",
	    "instrprof",
	    "threadlocal.",
	    "readcyclecounter",
	    "localescape",
	    "is.constant",
	    "expect",
	    "codeview",
	    "x86.sse2.pause",
	    "get.rounding",
	    "set.rounding",
	    "coro.",
	    "fake.use",
	    "x86.rdtsc",
	};

	for (size_t i = 0; i < fr_array_size(list); i++)
		if (!strncmp(name, list[i], strlen(list[i])))
			return true;
	return false;
}

bool fr_may_write(LLVMValueRef i)
{
	const char *name;

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMStore:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
	case LLVMFence:
	case LLVMInvoke:
	case LLVMCallBr:
	case LLVMVAArg:
		return true;
	case LLVMLoad:
		return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
	case LLVMCall:
		name = fr_intrinsic(i);
		return !name || !(no_memory(i) || harmless(name));
	default:
		return false;
	}
}

bool fr_same_address(LLVMValueRef a, LLVMValueRef b)
{
	int n;

	if (a == b)
		return true;
	if (!LLVMIsAGetElementPtrInst(a) || !LLVMIsAGetElementPtrInst(b))
		return false;
	n = LLVMGetNumOperands(a);
	if (n != LLVMGetNumOperands(b) ||
	    LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b))
		return false;
	if (!fr_same_address(LLVMGetOperand(a, 0), LLVMGetOperand(b, 0)))
		return false;
	for (int i = 1; i < n; i++)
		if (LLVMGetOperand(a, (unsigned)i) != LLVMGetOperand(b, (unsigned)i))
			return false;
	return true;
}

static bool written_later(LLVMValueRef i, LLVMValueRef ptr)
{
	for (i = LLVMGetNextInstruction(i); i; i = LLVMGetNextInstruction(i))
		if ((LLVMIsAStoreInst(i) && fr_same_address(LLVMGetOperand(i, 1), ptr)) ||
		    (LLVMIsACallInst(i) && fr_memop_fixed(i) &&
		     fr_same_address(LLVMGetOperand(i, 0), ptr)))
			return true;
	return false;
}

/* A store to a local that does not escape changes nothing that is recorded. */
static bool clobbers(struct fr_func *f, LLVMValueRef i)
{
	uint64_t *known;

	if (!fr_may_write(i))
		return false;
	if (!LLVMIsAStoreInst(i) || LLVMGetVolatile(i) ||
	    LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
		return true;
	known = fr_map_get(&f->escapes, (uintptr_t)fr_underlying(LLVMGetOperand(i, 1)));
	return !known || *known != 1;
}

void fr_redundant(struct fr_func *f)
{
	LLVMBasicBlockRef block = NULL;
	size_t first = 0; /* first read since the last clobber */
	LLVMValueRef at = NULL;

	/* Accesses are in program order, block by block. */
	for (size_t k = 0; k < f->access.n; k++) {
		struct fr_access *a = &f->access.v[k];

		if (LLVMGetInstructionParent(a->inst) != block) {
			block = LLVMGetInstructionParent(a->inst);
			at = LLVMGetFirstInstruction(block);
			first = k;
		}
		for (; at && at != a->inst; at = LLVMGetNextInstruction(at))
			if (clobbers(f, at))
				first = k;
		fr_assert(at && !a->done); /* the accesses are in program order */
		if (a->write || a->vol)
			continue;
		for (size_t j = k > first + WINDOW ? k - WINDOW : first; j < k; j++) {
			struct fr_access *b = &f->access.v[j];

			if (!b->write && !b->vol && b->size == a->size &&
			    fr_same_address(a->ptr, b->ptr) && !written_later(a->inst, a->ptr)) {
				a->done = true;
				a->stands = b->stands ? b->stands : j + 1;
				fr_mark_join(f->u, f->access.v[a->stands - 1].inst, a->inst);
				f->u->count[FR_PC_redundant]++;
				break;
			}
		}
	}
}
