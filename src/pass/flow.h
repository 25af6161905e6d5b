/* Data dependence within a function: see flow.c. */
#ifndef FR_PASS_FLOW_H
#define FR_PASS_FLOW_H

#include "func.h"

struct fr_depend_store {
	LLVMValueRef inst;
	uint64_t next; /* next store into the same local, + 1 */
};

struct fr_value_flow {
	struct fr_func *f;
	struct fr_map reads;  /* load -> its access + 1 */
	struct fr_map stores; /* alloca -> last store into it + 1 */
	FR_VEC(struct fr_depend_store) store;
	struct fr_map seen;
	FR_VEC(LLVMValueRef) todo;
};

/* Called for each thing that a value depends on. at: the block in which it happens (the entry for
   arguments, NULL: where the value is used). read: the load or other atomic operation, if it is
   one; its first operand is the address. plain: the access, if it is a plain load. */
typedef void (*fr_depend_each)(void *ctx, LLVMBasicBlockRef at, LLVMValueRef read,
			       const struct fr_access *plain);

/* Call it before any hook is inserted. */
void fr_depend_start(struct fr_value_flow *d, struct fr_func *f);
void fr_depend(struct fr_value_flow *d, LLVMValueRef v, fr_depend_each each, void *ctx);
void fr_depend_free(struct fr_value_flow *d);

#endif
