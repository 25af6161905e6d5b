/* Arguments and results of a call as the source has them: see args.c. */
#ifndef FR_PASS_ARGS_H
#define FR_PASS_ARGS_H

#include "ditype.h"
#include "format/event.h"

struct fr_args {
	unsigned n; /* arguments in the source */
	unsigned kept;
	struct {
		LLVMValueRef value; /* as i64; NULL until fr_args_build, and where size is 0 */
		LLVMValueRef from;
		unsigned size; /* 0: not recorded */
		enum fr_arg kind;
	} v[FR_CALL_ARGS];
};

/* Of a call or invoke. sp: subprogram of the callee, or NULL. */
void fr_args_of_call(struct fr_pass_unit *u, LLVMValueRef call, fr_md sp, struct fr_args *ret);
/* Of the function's own parameters. */
void fr_args_of_function(struct fr_pass_unit *u, LLVMValueRef fn, struct fr_args *ret);
/* A result: value NULL if the code returns nothing. n is 0 if the function has no result. */
void fr_args_of_result(struct fr_pass_unit *u, LLVMValueRef value, fr_md sp, struct fr_args *ret);
/* Builds the values as 64-bit numbers at the builder's position. */
void fr_args_build(struct fr_pass_unit *u, struct fr_args *a);

#endif
