/*
 * Finds the dependences of a value: the reads, calls and arguments that flow into it through
 * registers (arithmetic, casts, phis, selects, intrinsics) and through locals that do not escape.
 *
 * Conservative: a local holds everything that is stored into it anywhere in the function.
 * Arguments, call results and exceptions may all carry a read. A slice of more than SLICE_MAX
 * values is not followed further, and counts as depending on something at the value itself.
 * Not handled: control dependence. The values of a phi count; the branches before it have their own
 * hooks.
 */
#include "flow.h"
#include "base/assert.h"
#include <string.h>

#define SLICE_MAX 400

void fr_depend_start(struct fr_value_flow *d, struct fr_func *f)
{
	fr_assert(!f->depth); /* before any hook */
	*d = (struct fr_value_flow){.f = f};
	for (size_t i = 0; i < f->access.n; i++)
		if (LLVMIsALoadInst(f->access.v[i].inst))
			*fr_map_put(&d->reads, (uintptr_t)f->access.v[i].inst) = i + 1;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->fn); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i)) {
			LLVMValueRef base;
			uint64_t *first;

			if (LLVMIsAStoreInst(i))
				base = fr_underlying(LLVMGetOperand(i, 1));
			else if (LLVMIsACallInst(i) && fr_intrinsic(i) &&
				 fr_memop_known(fr_intrinsic(i)))
				base = fr_underlying(LLVMGetOperand(i, 0));
			else
				continue;
			if (!LLVMIsAAllocaInst(base))
				continue;
			first = fr_map_put(&d->stores, (uintptr_t)base);
			fr_vec_push(&d->store, ((struct fr_depend_store){i, *first}));
			*first = d->store.n;
		}
}

void fr_depend_free(struct fr_value_flow *d)
{
	fr_map_free(&d->reads);
	fr_map_free(&d->stores);
	fr_map_free(&d->seen);
	fr_vec_free(&d->store);
	fr_vec_free(&d->todo);
}

static void follow(struct fr_value_flow *d, LLVMValueRef v)
{
	uint64_t *slot;

	if (!LLVMIsAInstruction(v) && !LLVMIsAArgument(v))
		return;
	slot = fr_map_put(&d->seen, (uintptr_t)v);
	if (!*slot) {
		*slot = 1;
		fr_vec_push(&d->todo, v);
	}
}

static void operands(struct fr_value_flow *d, LLVMValueRef i)
{
	for (int k = 0; k < LLVMGetNumOperands(i); k++)
		follow(d, LLVMGetOperand(i, (unsigned)k));
}

/* A local that does not escape: everything that is stored into it. */
static void contents(struct fr_value_flow *d, LLVMValueRef local, fr_depend_each each, void *ctx)
{
	uint64_t *first = fr_map_get(&d->stores, (uintptr_t)local);

	fr_assert(LLVMIsAAllocaInst(local) && (!first || *first <= d->store.n));
	for (uint64_t n = first ? *first : 0; n; n = d->store.v[n - 1].next) {
		LLVMValueRef s = d->store.v[n - 1].inst;

		if (LLVMIsAStoreInst(s))
			operands(d, s);
		else
			each(ctx, LLVMGetInstructionParent(s), NULL, NULL);
	}
}

static void one(struct fr_value_flow *d, LLVMValueRef v, fr_depend_each each, void *ctx)
{
	LLVMBasicBlockRef at;
	const char *name;
	uint64_t *read;

	if (LLVMIsAArgument(v)) {
		each(ctx, LLVMGetEntryBasicBlock(d->f->fn), NULL, NULL);
		return;
	}
	at = LLVMGetInstructionParent(v);
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMLoad:
		read = fr_map_get(&d->reads, (uintptr_t)v);
		if (read || LLVMGetOrdering(v) != LLVMAtomicOrderingNotAtomic) {
			each(ctx, at, v, read ? &d->f->access.v[*read - 1] : NULL);
			break;
		}
		if (LLVMIsAAllocaInst(fr_underlying(LLVMGetOperand(v, 0))))
			contents(d, fr_underlying(LLVMGetOperand(v, 0)), each, ctx);
		operands(d, v);
		break;
	case LLVMCall:
		name = fr_intrinsic(v);
		if (name && !fr_memop_known(name))
			operands(d, v);
		else
			each(ctx, at, NULL, NULL);
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		each(ctx, at, v, NULL);
		break;
	case LLVMInvoke:
	case LLVMCallBr:
	case LLVMLandingPad:
	case LLVMVAArg:
		each(ctx, at, NULL, NULL);
		break;
	case LLVMAlloca:
		break;
	default:
		operands(d, v);
	}
}

void fr_depend(struct fr_value_flow *d, LLVMValueRef v, fr_depend_each each, void *ctx)
{
	fr_assert(each);
	fr_map_free(&d->seen);
	d->todo.n = 0;
	follow(d, v);
	fr_assert(d->todo.n <= 1);
	for (size_t i = 0; i < d->todo.n; i++) {
		if (i == SLICE_MAX) {
			each(ctx, NULL, NULL, NULL);
			return;
		}
		one(d, d->todo.v[i], each, ctx);
	}
}
