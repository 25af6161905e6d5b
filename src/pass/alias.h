/* Decides whether two accesses can touch the same memory. LLVM-C has no alias analysis. */
#ifndef FR_PASS_ALIAS_H
#define FR_PASS_ALIAS_H

#include "pass.h"

/* True only if they surely cannot, in any iteration of a loop that contains both. */
bool fr_never_alias(struct fr_pass_unit *u, LLVMValueRef inst_a, LLVMValueRef ptr_a,
		    LLVMValueRef inst_b, LLVMValueRef ptr_b);

#endif
