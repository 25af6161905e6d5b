/* Inserts calls of hooks; helpers about instructions for all other files. */
#include "pass.h"
#include "base/assert.h"
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *type;
} hooks[] = {
#define FR_X(n, s, t) {s, t},
    FR_PASS_HOOKS(FR_X)
#undef FR_X
};

#define MAX_PARAMS 8
/* The type of a hook has a letter for its result and one for each parameter. */
#define FR_X(n, s, t) \
	_Static_assert(sizeof(t) > 1 && sizeof(t) - 2 <= MAX_PARAMS, "parameters of " s);
FR_PASS_HOOKS(FR_X)
#undef FR_X

static LLVMTypeRef letter(struct fr_pass_unit *u, char c)
{
	return c == 'p' ? u->ptr : c == 'l' ? u->i64 : c == 'i' ? u->i32 : u->tvoid;
}

static void declare(struct fr_pass_unit *u, enum fr_pass_hook h)
{
	const char *t = hooks[h].type;
	LLVMTypeRef params[MAX_PARAMS];
	unsigned n = 0;

	for (const char *c = t + 1; *c; c++)
		params[n++] = letter(u, *c);
	fr_assert(n <= MAX_PARAMS);
	u->hook[h].type = LLVMFunctionType(letter(u, *t), params, n, false);
	u->hook[h].fn = LLVMGetNamedFunction(u->mod, hooks[h].name);
	if (!u->hook[h].fn)
		u->hook[h].fn = LLVMAddFunction(u->mod, hooks[h].name, u->hook[h].type);
}

#define PRESERVE_MOST 14

/* Inlined hooks that can also be called: up to CALL in the list. */
static bool can_be_apart(enum fr_pass_hook h)
{
	return h <= FR_H_CALL;
}

static LLVMValueRef apart(struct fr_pass_unit *u, enum fr_pass_hook h)
{
	char name[64];

	fr_assert(can_be_apart(h));
	if (u->hook[h].apart)
		return u->hook[h].apart;
	snprintf(name, sizeof(name), "frt_apart_%s", hooks[h].name + 6);
	u->hook[h].apart = LLVMAddFunction(u->mod, name, u->hook[h].type);
	LLVMSetLinkage(u->hook[h].apart, LLVMInternalLinkage);
	LLVMSetFunctionCallConv(u->hook[h].apart, PRESERVE_MOST);
	for (const char *const *a = (const char *const[]){"noinline", "nounwind", NULL}; *a; a++)
		LLVMAddAttributeAtIndex(
		    u->hook[h].apart, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
		    LLVMCreateEnumAttribute(u->ctx, LLVMGetEnumAttributeKindForName(*a, strlen(*a)),
					    0));
	return u->hook[h].apart;
}

void fr_hook_apart_bodies(struct fr_pass_unit *u)
{
	for (enum fr_pass_hook h = 0; h <= FR_H_CALL; h++) {
		LLVMValueRef f = u->hook[h].apart, args[MAX_PARAMS], r;
		unsigned n;

		if (!f)
			continue;
		LLVMPositionBuilderAtEnd(u->b, LLVMAppendBasicBlockInContext(u->ctx, f, ""));
		LLVMSetCurrentDebugLocation2(u->b, NULL);
		n = LLVMCountParams(f);
		fr_assert(n == strlen(hooks[h].type) - 1);
		for (unsigned i = 0; i < n; i++)
			args[i] = LLVMGetParam(f, i);
		r = LLVMBuildCall2(u->b, u->hook[h].type, u->hook[h].fn, args, n, "");
		if (hooks[h].type[0] == 'v')
			LLVMBuildRetVoid(u->b);
		else
			LLVMBuildRet(u->b, r);
	}
}

LLVMValueRef fr_hook(struct fr_pass_unit *u, enum fr_pass_hook h, LLVMValueRef *args)
{
	unsigned n = (unsigned)strlen(hooks[h].type) - 1;
	LLVMValueRef call;

	fr_assert(h < FR_H_COUNT);
	for (unsigned i = 0; i < n; i++)
		fr_assert(LLVMTypeOf(args[i]) == letter(u, hooks[h].type[i + 1]));
	if (!u->hook[h].fn)
		declare(u, h);
	if (!u->apart || !can_be_apart(h))
		return LLVMBuildCall2(u->b, u->hook[h].type, u->hook[h].fn, args, n, "");
	call = LLVMBuildCall2(u->b, u->hook[h].type, apart(u, h), args, n, "");
	LLVMSetInstructionCallConv(call, PRESERVE_MOST);
	return call;
}

LLVMValueRef fr_i32(struct fr_pass_unit *u, uint64_t v)
{
	return LLVMConstInt(u->i32, v, false);
}

LLVMValueRef fr_i64(struct fr_pass_unit *u, uint64_t v)
{
	return LLVMConstInt(u->i64, v, false);
}

LLVMValueRef fr_as_i64(struct fr_pass_unit *u, LLVMValueRef v)
{
	return LLVMTypeOf(v) == u->ptr ? LLVMBuildPtrToInt(u->b, v, u->i64, "") : v;
}

LLVMValueRef fr_site_base(struct fr_pass_unit *u)
{
	if (!u->base) {
		u->base = LLVMAddGlobal(u->mod, u->i32, "frt_unit_base");
		LLVMSetLinkage(u->base, LLVMInternalLinkage);
		LLVMSetInitializer(u->base, fr_i32(u, 0));
	}
	return u->base;
}

LLVMValueRef fr_site_value(struct fr_pass_unit *u, uint32_t site)
{
	LLVMValueRef base;

	/* Only the unit's constructor, which is not instrumented,
	   writes it: invariant elsewhere. */
	base = LLVMBuildLoad2(u->b, u->i32, fr_site_base(u), "");
	LLVMSetAlignment(base, 4);
	LLVMSetMetadata(base, LLVMGetMDKindIDInContext(u->ctx, "invariant.load", 14),
			LLVMMetadataAsValue(u->ctx, LLVMMDNodeInContext2(u->ctx, NULL, 0)));
	return LLVMBuildAdd(u->b, base, fr_i32(u, site), "");
}

/* A call that can be inlined needs a location if the function has debug information. */
static void locate(struct fr_pass_unit *u, LLVMValueRef inst)
{
	LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(inst);
	LLVMValueRef fn = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
	LLVMMetadataRef sp = LLVMGetSubprogram(fn);

	if (!loc && sp)
		loc = LLVMDIBuilderCreateDebugLocation(u->ctx, 0, 0, sp, NULL);
	LLVMSetCurrentDebugLocation2(u->b, loc);
}

void fr_before(struct fr_pass_unit *u, LLVMValueRef inst)
{
	fr_assert(LLVMIsAInstruction(inst) && LLVMGetInstructionParent(inst));
	LLVMPositionBuilderBefore(u->b, inst);
	locate(u, inst);
}

void fr_at_entry(struct fr_pass_unit *u, LLVMValueRef fn)
{
	LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(fn));
	LLVMMetadataRef sp = LLVMGetSubprogram(fn);

	while (LLVMIsAAllocaInst(first))
		first = LLVMGetNextInstruction(first);
	fr_assert(first); /* a block ends with a terminator */
	fr_before(u, first);
	if (sp)
		LLVMSetCurrentDebugLocation2(
		    u->b, LLVMDIBuilderCreateDebugLocation(u->ctx, LLVMDISubprogramGetLine(sp), 0,
							   sp, NULL));
}

void fr_after(struct fr_pass_unit *u, LLVMValueRef inst)
{
	LLVMValueRef next = LLVMGetNextInstruction(inst);

	while (next && (LLVMIsAPHINode(next) || LLVMIsALandingPadInst(next)))
		next = LLVMGetNextInstruction(next);
	fr_assert(next); /* inst does not end its block */
	LLVMPositionBuilderBefore(u->b, next);
	locate(u, inst);
}

uint64_t fr_store_size(struct fr_pass_unit *u, LLVMTypeRef t)
{
	switch (LLVMGetTypeKind(t)) {
	case LLVMScalableVectorTypeKind:
	case LLVMTargetExtTypeKind:
	case LLVMX86_AMXTypeKind:
	case LLVMTokenTypeKind:
	case LLVMVoidTypeKind:
	case LLVMMetadataTypeKind:
	case LLVMLabelTypeKind:
		return 0;
	default:
		return LLVMTypeIsSized(t) ? LLVMStoreSizeOfType(u->dl, t) : 0;
	}
}

/* The value as an integer of exactly `bits` bits, or NULL. */
static LLVMValueRef as_int(struct fr_pass_unit *u, LLVMValueRef v, uint64_t bits)
{
	LLVMTypeRef t = LLVMTypeOf(v), i = LLVMIntTypeInContext(u->ctx, (unsigned)bits), e;

	fr_assert(bits && bits <= 128);
	switch (LLVMGetTypeKind(t)) {
	case LLVMIntegerTypeKind:
		return t == i ? v : LLVMBuildZExt(u->b, v, i, "");
	case LLVMPointerTypeKind:
		return LLVMBuildPtrToInt(u->b, v, i, "");
	case LLVMHalfTypeKind:
	case LLVMBFloatTypeKind:
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMFP128TypeKind:
		return LLVMBuildBitCast(u->b, v, i, "");
	case LLVMVectorTypeKind:
		e = LLVMGetElementType(t);
		if (LLVMGetTypeKind(e) == LLVMPointerTypeKind)
			v = LLVMBuildPtrToInt(u->b, v, LLVMVectorType(u->i64, LLVMGetVectorSize(t)),
					      "");
		if (LLVMSizeOfTypeInBits(u->dl, t) != bits)
			return NULL;
		return LLVMBuildBitCast(u->b, v, i, "");
	default:
		return NULL;
	}
}

LLVMValueRef fr_value64(struct fr_pass_unit *u, LLVMValueRef v, uint64_t size, LLVMValueRef *hi)
{
	LLVMTypeRef wide;
	LLVMValueRef i;

	fr_assert(size);
	if (size > 16 || (size & (size - 1)))
		return NULL;
	if (LLVMIsUndef(v) || LLVMIsPoison(v)) {
		*hi = fr_i64(u, 0);
		return fr_i64(u, 0);
	}
	i = as_int(u, v, size * 8);
	if (!i || size == 8)
		return i;
	if (size < 8)
		return LLVMBuildZExt(u->b, i, u->i64, "");
	fr_assert(size == 16);
	wide = LLVMTypeOf(i);
	*hi = LLVMBuildTrunc(u->b, LLVMBuildLShr(u->b, i, LLVMConstInt(wide, 64, false), ""),
			     u->i64, "");
	return LLVMBuildTrunc(u->b, i, u->i64, "");
}

const char *fr_callee_name(LLVMValueRef call, LLVMValueRef *ret_fn)
{
	LLVMValueRef f;
	size_t n;

	fr_assert(LLVMIsACallInst(call) || LLVMIsAInvokeInst(call) || LLVMIsACallBrInst(call));
	f = LLVMGetCalledValue(call);
	if (ret_fn)
		*ret_fn = NULL;
	if (!f || !LLVMIsAFunction(f))
		return NULL;
	if (ret_fn)
		*ret_fn = f;
	return LLVMGetValueName2(f, &n);
}

const char *fr_intrinsic(LLVMValueRef call)
{
	LLVMValueRef f;
	const char *name = fr_callee_name(call, &f);

	return f && LLVMGetIntrinsicID(f) && !strncmp(name, "llvm.", 5) ? name + 5 : NULL;
}

bool fr_fn_attr(LLVMValueRef fn, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	fr_assert(LLVMIsAFunction(fn));
	return kind && LLVMGetEnumAttributeAtIndex(
			   fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

bool fr_call_attr(LLVMValueRef call, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	LLVMValueRef f;

	if (!kind)
		return false;
	if (LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
					 kind))
		return true;
	fr_callee_name(call, &f);
	return f && fr_fn_attr(f, name);
}

char *__cxa_demangle(const char *name, char *buf, size_t *n, int *status);

char *fr_plain_name(const char *linkage)
{
	return strncmp(linkage, "_Z", 2) ? NULL : __cxa_demangle(linkage, NULL, NULL, NULL);
}
