/* The graph of influence of a unit under construction: shared by influence.c and
   influence_table.c. */
#ifndef FR_PASS_INFLUENCE_UNIT_H
#define FR_PASS_INFLUENCE_UNIT_H

#include "influence.h"

/* An influence: numbers of nodes. */
struct fr_inf_link {
	uint32_t from, to;
	uint8_t where;
};

/* A read and a write in its block. */
struct fr_inf_near {
	size_t link;
	LLVMValueRef read, write;
};

/* The access keys of a block, or the nears of a function: first, number. */
struct fr_inf_part {
	size_t first, n;
};

/* A recorded access. */
struct fr_inf_access {
	LLVMValueRef inst, ptr; /* ptr: a constant of the linker, or NULL */
	uint64_t size;
	uint32_t site;
	bool write;
	LLVMBasicBlockRef block;
};

#define FR_INF_NO_VALUE (UINT64_C(1) << 40)

struct fr_influence {
	FR_VEC(struct fr_inf_out) out;
	struct fr_map id; /* hash of an out -> number + 1 */
	FR_VEC(struct fr_inf_link) link;
	FR_VEC(struct fr_inf_near) near;
	struct fr_map nears; /* function -> part of near, + 1 */
	FR_VEC(struct fr_inf_part) part;
	FR_VEC(uintptr_t) key;
	struct fr_map blocks;  /* block -> part of key, + 1 */
	struct fr_map sites;   /* access key -> site + 1; FR_INF_NO_VALUE: without a node VALUE */
	struct fr_map ranges;  /* function -> first site | end << 32 */
	struct fr_map defined; /* functions with a graph */
	FR_VEC(struct fr_inf_access) access;
	struct fr_map waits; /* reads of waiting loops */
};

#endif
