/*
 * After all functions: makes the unit's site table and constructor, links the bitcode of the hooks
 * and inlines it, and removes attributes that are no longer true.
 *
 * Invariant: no flag or alias information of the hooks' module reaches the program's, and no call
 * of the runtime is bound lazily.
 */
#include "func.h"
#include "format/hook_abi.h"
#include <llvm-c/BitReader.h>
#include <llvm-c/Error.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <string.h>

#define FN ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)

static const char *const inlined[] = {
#define FR_X(n) #n,
    FRT_INLINE_HOOKS(FR_X)
#undef FR_X
	"frt_h_enter",
    "frt_h_leave",
    "frt_h_restore",
    "frt_h_call",
    "frt_h_branch",
};

static const char *const untrue[] = {"memory", "nosync", "speculatable", "nocallback"};

/* A function that records writes memory, whatever its attributes said before. */
void fr_link_attributes(struct fr_pass_unit *u)
{
	unsigned kinds[fr_array_size(untrue)];

	for (size_t i = 0; i < fr_array_size(untrue); i++)
		kinds[i] = LLVMGetEnumAttributeKindForName(untrue[i], strlen(untrue[i]));
	for (LLVMValueRef f = LLVMGetFirstFunction(u->mod); f; f = LLVMGetNextFunction(f)) {
		if (LLVMGetIntrinsicID(f))
			continue;
		for (size_t i = 0; i < fr_array_size(kinds); i++)
			if (kinds[i])
				LLVMRemoveEnumAttributeAtIndex(f, FN, kinds[i]);
		for (LLVMUseRef x = LLVMGetFirstUse(f); x; x = LLVMGetNextUse(x)) {
			LLVMValueRef c = LLVMGetUser(x);

			if (!LLVMIsACallInst(c) && !LLVMIsAInvokeInst(c))
				continue;
			for (size_t i = 0; i < fr_array_size(kinds); i++)
				if (kinds[i])
					LLVMRemoveCallSiteEnumAttribute(c, FN, kinds[i]);
		}
	}
}

/* Adds {priority, fn, null} to llvm.global_ctors, by replacing the array. */
static void add_ctor(struct fr_pass_unit *u, LLVMValueRef fn, unsigned priority)
{
	LLVMValueRef old = LLVMGetNamedGlobal(u->mod, "llvm.global_ctors"), init, global;
	LLVMTypeRef fields[] = {u->i32, u->ptr, u->ptr};
	LLVMTypeRef entry = LLVMStructTypeInContext(u->ctx, fields, 3, false);
	LLVMValueRef mine[] = {fr_i32(u, priority), fn, LLVMConstPointerNull(u->ptr)};
	FR_VEC(LLVMValueRef) all = {0};

	fr_vec_push(&all, LLVMConstStructInContext(u->ctx, mine, 3, false));
	init = old ? LLVMGetInitializer(old) : NULL;
	if (init) {
		unsigned n = (unsigned)LLVMGetArrayLength2(LLVMGlobalGetValueType(old));

		for (unsigned i = 0; i < n; i++)
			fr_vec_push(&all, LLVMGetAggregateElement(init, i));
	}
	if (old)
		LLVMSetValueName2(old, "", 0);
	global = LLVMAddGlobal(u->mod, LLVMArrayType2(entry, all.n), "llvm.global_ctors");
	LLVMSetLinkage(global, LLVMAppendingLinkage);
	LLVMSetInitializer(global, LLVMConstArray2(entry, all.v, all.n));
	if (old)
		LLVMDeleteGlobal(old);
	fr_vec_free(&all);
}

void fr_link_register(struct fr_pass_unit *u)
{
	LLVMTypeRef type = LLVMFunctionType(u->tvoid, NULL, 0, false);
	LLVMValueRef init, blob, ctor;
	struct fr_buf b;

	fr_unit_sites_blob(u->sites, &b);
	init = LLVMConstStringInContext(u->ctx, b.s, (unsigned)b.n, true);
	blob = LLVMAddGlobal(u->mod, LLVMTypeOf(init), "frt_unit_sites");
	LLVMSetInitializer(blob, init);
	LLVMSetGlobalConstant(blob, true);
	LLVMSetLinkage(blob, LLVMInternalLinkage);
	LLVMSetSection(blob, FR_SITE_SECTION);
	LLVMSetAlignment(blob, 8);
	fr_buf_free(&b);

	ctor = LLVMAddFunction(u->mod, "frt_unit_ctor", type);
	LLVMSetLinkage(ctor, LLVMInternalLinkage);
	LLVMAddAttributeAtIndex(
	    ctor, FN,
	    LLVMCreateEnumAttribute(u->ctx, LLVMGetEnumAttributeKindForName("nounwind", 8), 0));
	LLVMPositionBuilderAtEnd(u->b, LLVMAppendBasicBlockInContext(u->ctx, ctor, ""));
	LLVMSetCurrentDebugLocation2(u->b, NULL);
	fr_hook(u, FR_H_REGISTER,
		(LLVMValueRef[]){blob, fr_site_base(u), fr_i32(u, fr_unit_sites_count(u->sites)),
				 fr_i32(u, FRT_ABI)});
	LLVMBuildRetVoid(u->b);
	add_ctor(u, ctor, 1);
}

static bool complain(const char *what, const char *path, const char *why)
{
	fprintf(stderr, "forerun: %s '%s'%s%s\n", what, path, why ? ": " : "", why ? why : "");
	return false;
}

static LLVMModuleRef load(struct fr_pass_unit *u, const char *path)
{
	LLVMMemoryBufferRef buf;
	LLVMModuleRef m;
	char *msg = NULL;

	if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buf, &msg)) {
		complain("cannot read the hooks", path, msg);
		LLVMDisposeMessage(msg);
		return NULL;
	}
	if (LLVMParseBitcodeInContext2(u->ctx, buf, &m)) {
		complain("not bitcode that this clang can read", path, NULL);
		m = NULL;
	}
	LLVMDisposeMemoryBuffer(buf);
	return m;
}

/* The instructions of a hook read the program's memory with their own types and do not belong to
   the program: removes their alias classes, and hides them from other sanitizers. */
static void neutral(struct fr_pass_unit *u, LLVMValueRef fn)
{
	unsigned tbaa = LLVMGetMDKindIDInContext(u->ctx, "tbaa", 4);
	unsigned nosan = LLVMGetMDKindIDInContext(u->ctx, "nosanitize", 10);
	LLVMValueRef empty = LLVMMetadataAsValue(u->ctx, LLVMMDNodeInContext2(u->ctx, NULL, 0));

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i)) {
			LLVMSetMetadata(i, tbaa, NULL);
			if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsACallInst(i))
				LLVMSetMetadata(i, nosan, empty);
		}
}

static void prepare(struct fr_pass_unit *u, LLVMValueRef fn)
{
	static const char *const drop[] = {"noinline", "optnone"};

	neutral(u, fn);
	LLVMSetVisibility(fn, LLVMDefaultVisibility);
	LLVMSetLinkage(fn, LLVMInternalLinkage);
	for (size_t i = 0; i < fr_array_size(drop); i++)
		LLVMRemoveEnumAttributeAtIndex(
		    fn, FN, LLVMGetEnumAttributeKindForName(drop[i], strlen(drop[i])));
	LLVMAddAttributeAtIndex(
	    fn, FN,
	    LLVMCreateEnumAttribute(u->ctx, LLVMGetEnumAttributeKindForName("alwaysinline", 12),
				    0));
}

static bool run(struct fr_pass_unit *u, const char *passes)
{
	LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
	LLVMErrorRef e = LLVMRunPasses(u->mod, passes, NULL, o);

	LLVMDisposePassBuilderOptions(o);
	if (!e)
		return true;
	char *msg = LLVMGetErrorMessage(e);
	complain("cannot run", passes, msg);
	LLVMDisposeErrorMessage(msg);
	return false;
}

/*
 * The module calls the runtime through addresses that the loader fills in before any of its code
 * runs, never through a lazily bound PLT entry. The convention of runtime/core/slow.h keeps r10
 * (AArch64: x9 to x15), but the resolver that the loader runs at the first call through such an
 * entry does not. The other functions of the runtime follow the ordinary convention. But a resolver
 * that runs in the middle of a hook needs kilobytes of stack, which a small signal stack does not
 * have.
 */
static void bind_at_load(struct fr_pass_unit *u)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("nonlazybind", 11);
	size_t n;

	for (LLVMValueRef f = LLVMGetFirstFunction(u->mod); f; f = LLVMGetNextFunction(f))
		if (LLVMIsDeclaration(f) && !strncmp(LLVMGetValueName2(f, &n), "frt_", 4))
			LLVMAddAttributeAtIndex(f, FN, LLVMCreateEnumAttribute(u->ctx, kind, 0));
}

bool fr_link_hooks(struct fr_pass_unit *u)
{
	const char *path = getenv("FORERUN_HOOKS");
	LLVMModuleRef m;

	if (!path)
		return complain("the pass needs FORERUN_HOOKS: compile with", "forerun cc", NULL);
	m = load(u, path);
	if (!m)
		return false;
	fr_hook_apart_bodies(u);
	fr_plugin_drop_flags(m);
	LLVMSetTarget(m, LLVMGetTarget(u->mod));
	LLVMSetDataLayout(m, LLVMGetDataLayoutStr(u->mod));
	if (LLVMLinkModules2(u->mod, m))
		return complain("cannot link the hooks", path, NULL);
	for (size_t i = 0; i < fr_array_size(inlined); i++) {
		LLVMValueRef f = LLVMGetNamedFunction(u->mod, inlined[i]);

		if (!f || LLVMIsDeclaration(f))
			return complain("no definition of the hook", inlined[i], path);
		if (LLVMGetFirstUse(f))
			prepare(u, f);
		else
			LLVMDeleteFunction(f);
	}
	bind_at_load(u);
	return run(u, "always-inline");
}
