/*
 * Keeps the optimiser from inventing accesses, before it starts.
 *
 * An access that the source does not execute would be recorded as the program's, and could race
 * with a correct write. `sanitize_thread` stops most of that: LLVM then speculates no load in
 * SimplifyCFG, LICM, GVN, argument promotion and the vectorisers. The attribute alone does not add
 * ThreadSanitizer: clang adds that pass only for -fsanitize=thread.
 *
 * Every function of the module carries the attribute, also one that is not instrumented, because
 * LLVM inlines only between functions that agree on it.
 */
#include "pass.h"
#include <string.h>

#define FN ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)

/* Options of LLVM that allow accesses of bytes that the source does not touch. */
static const struct {
	const char *name, *value;
} options[] = {
    /* A vector access of an array of structs would cover the members between. */
    {"enable-interleaved-mem-accesses", "false"},
    {"enable-masked-interleaved-mem-accesses", "false"},
};

/* Functions that stop at the first difference. LLVM replaces them by loads of whole words, or by
   memcmp, which reads beyond the end of a string. */
static const char *const comparisons[] = {"memcmp", "bcmp", "strcmp", "strncmp"};

static LLVMAttributeRef flag(LLVMContextRef ctx, const char *name)
{
	return LLVMCreateEnumAttribute(ctx, LLVMGetEnumAttributeKindForName(name, strlen(name)), 0);
}

/* Calls of these functions stay calls. */
static bool keep_comparisons(LLVMModuleRef m)
{
	LLVMAttributeRef a = flag(LLVMGetModuleContext(m), "nobuiltin");
	bool changed = false;

	for (size_t i = 0; i < fr_array_size(comparisons); i++) {
		LLVMValueRef f = LLVMGetNamedFunction(m, comparisons[i]);

		for (LLVMUseRef x = f ? LLVMGetFirstUse(f) : NULL; x; x = LLVMGetNextUse(x)) {
			LLVMValueRef call = LLVMGetUser(x);

			if ((!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call)) ||
			    LLVMGetCalledValue(call) != f)
				continue;
			LLVMAddCallSiteAttribute(call, FN, a);
			changed = true;
		}
	}
	return changed;
}

/* The optimiser may read a reference only where the source reads it. */
static void drop_dereferenceable(LLVMValueRef f)
{
	static const char *const names[] = {"dereferenceable", "dereferenceable_or_null"};

	for (size_t k = 0; k < fr_array_size(names); k++) {
		unsigned kind = LLVMGetEnumAttributeKindForName(names[k], strlen(names[k]));

		for (unsigned i = 0; i <= LLVMCountParams(f); i++)
			LLVMRemoveEnumAttributeAtIndex(f, i, kind);
	}
}

bool fr_speculation_forbid(LLVMModuleRef m)
{
	LLVMAttributeRef a = flag(LLVMGetModuleContext(m), "sanitize_thread");
	bool changed = keep_comparisons(m);

	for (size_t i = 0; i < fr_array_size(options); i++)
		fr_plugin_option(options[i].name, options[i].value);
	for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
		if (LLVMGetIntrinsicID(f))
			continue;
		drop_dereferenceable(f);
		if (LLVMIsDeclaration(f))
			continue;
		LLVMAddAttributeAtIndex(f, FN, a);
		changed = true;
	}
	return changed;
}
