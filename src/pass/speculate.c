/*
 * Keeps the optimiser from inventing accesses, before it starts.
 *
 * An access that the source does not execute would be recorded as the program's, and could race
 * with a correct write. `sanitize_thread` stops most of that: LLVM then speculates no load in
 * SimplifyCFG, LICM, GVN, argument promotion and the vectorisers. The attribute alone does not add
 * ThreadSanitizer: clang adds that pass for -fsanitize=thread only.
 *
 * Every function of the module carries it, also one that is not instrumented, because LLVM inlines
 * only between functions that agree on it.
 */
#include "pass.h"
#include <string.h>

/* Options of LLVM that allow accesses of bytes that the source does not touch. */
static const struct {
	const char *name, *value;
} options[] = {
    /* A vector access of an array of structs would cover the members between. */
    {"enable-interleaved-mem-accesses", "false"},
    {"enable-masked-interleaved-mem-accesses", "false"},
};

bool fr_speculation_forbid(LLVMModuleRef m)
{
	static const char attribute[] = "sanitize_thread";
	unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
	LLVMAttributeRef a = LLVMCreateEnumAttribute(LLVMGetModuleContext(m), kind, 0);
	bool changed = false;

	for (size_t i = 0; i < fr_array_size(options); i++)
		fr_plugin_option(options[i].name, options[i].value);
	for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f) || fr_fn_attr(f, attribute))
			continue;
		LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, a);
		changed = true;
	}
	return changed;
}
