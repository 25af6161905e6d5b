/*
 * The frame of a function on the runtime's call stack: entered once, left at each exit, restored
 * where control comes back from elsewhere (landing pads, calls that return twice). Locals that
 * other threads may have seen are freed before the frame is left.
 */
#include "func.h"
#include "base/assert.h"

static bool is_entry_static(struct fr_func *f, LLVMValueRef alloca)
{
	return LLVMGetInstructionParent(alloca) == LLVMGetEntryBasicBlock(f->fn) &&
	       LLVMIsAConstantInt(LLVMGetOperand(alloca, 0));
}

/* Moves static allocas to the front: inlining a hook splits the entry block, and an alloca outside
   the entry block would become dynamic. */
static void gather_allocas(struct fr_func *f)
{
	LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f->fn));

	while (first && LLVMIsAAllocaInst(first))
		first = LLVMGetNextInstruction(first);
	if (!first)
		return;
	LLVMPositionBuilderBefore(f->u->b, first);
	LLVMSetCurrentDebugLocation2(f->u->b, NULL);
	for (size_t i = 0; i < f->local.n; i++) {
		LLVMValueRef a = f->local.v[i];
		bool in_front = false;

		if (!is_entry_static(f, a))
			continue;
		for (LLVMValueRef p = a; p && !in_front; p = LLVMGetNextInstruction(p))
			in_front = p == first;
		if (in_front)
			continue;
		LLVMInstructionRemoveFromParent(a);
		LLVMPositionBuilderBefore(f->u->b, first);
		LLVMSetCurrentDebugLocation2(f->u->b, NULL);
		LLVMInsertIntoBuilder(f->u->b, a);
	}
}

static void enter(struct fr_func *f)
{
	struct fr_site_desc d = {.fn = f->fn, .kind = FR_SITE_FUNCTION};
	struct fr_pass_unit *u = f->u;

	fr_at_entry(u, f->fn);
	f->depth =
	    fr_hook(u, FR_H_ENTER, (LLVMValueRef[]){fr_site_value(u, fr_site_add(u->sites, &d))});
}

/* Can other threads have the address of this local, whose size is constant? */
static bool is_seen(struct fr_func *f, LLVMValueRef a)
{
	const uint64_t *known = fr_map_get(&f->escapes, (uintptr_t)a);

	return LLVMIsAAllocaInst(a) && is_entry_static(f, a) && known && *known == 2;
}

static void free_local(struct fr_func *f, LLVMValueRef a)
{
	struct fr_site_desc d = {.fn = f->fn, .kind = FR_SITE_FUNCTION};
	struct fr_pass_unit *u = f->u;
	uint64_t size = fr_store_size(u, LLVMGetAllocatedType(a)) *
			LLVMConstIntGetZExtValue(LLVMGetOperand(a, 0));

	if (size)
		fr_hook(u, FR_H_STACK_FREE,
			(LLVMValueRef[]){a, fr_i64(u, size),
					 fr_site_value(u, fr_site_add(u->sites, &d))});
}

static void free_locals(struct fr_func *f)
{
	for (size_t i = 0; i < f->local.n; i++)
		if (is_seen(f, f->local.v[i]) && !fr_map_get(&f->ends, (uintptr_t)f->local.v[i]))
			free_local(f, f->local.v[i]);
}

bool fr_ends_local(struct fr_func *f, LLVMValueRef call)
{
	const char *name = fr_intrinsic(call);

	return name && fr_starts(name, "lifetime.end") && is_seen(f, LLVMGetOperand(call, 1));
}

/* The locals of a block, or of a function that was inlined, end with it. */
static void end_lives(struct fr_func *f)
{
	for (size_t i = 0; i < f->life_end.n; i++) {
		LLVMValueRef end = f->life_end.v[i], a = LLVMGetOperand(end, 1);

		if (!is_seen(f, a))
			continue;
		*fr_map_put(&f->ends, (uintptr_t)a) = 1;
		fr_before(f->u, end);
		free_local(f, a);
	}
}

/* The must-tail call right before a return, or the return itself. */
static LLVMValueRef last_instruction(LLVMValueRef exit)
{
	LLVMValueRef p = LLVMGetPreviousInstruction(exit);

	if (p && LLVMIsABitCastInst(p))
		p = LLVMGetPreviousInstruction(p);
	if (p && LLVMIsACallInst(p) && LLVMGetTailCallKind(p) == LLVMTailCallKindMustTail)
		return p;
	return exit;
}

void fr_frame_hooks(struct fr_func *f)
{
	struct fr_pass_unit *u = f->u;

	fr_assert(!f->depth && !f->funclets);
	gather_allocas(f);
	enter(f);
	fr_assert(f->depth && LLVMTypeOf(f->depth) == u->i32);
	end_lives(f);
	for (size_t i = 0; i < f->exit.n; i++) {
		fr_before(u, last_instruction(f->exit.v[i]));
		free_locals(f);
		fr_hook(u, FR_H_LEAVE, &f->depth);
	}
	for (size_t i = 0; i < f->pad.n; i++) {
		fr_after(u, f->pad.v[i]);
		fr_hook(u, FR_H_RESTORE, &f->depth);
	}
	for (size_t i = 0; i < f->call.n; i++) {
		LLVMValueRef c = f->call.v[i];

		if (!LLVMIsACallInst(c) || !fr_call_attr(c, "returns_twice"))
			continue;
		fr_after(u, c);
		fr_hook(u, FR_H_RESTORE, &f->depth);
	}
}
