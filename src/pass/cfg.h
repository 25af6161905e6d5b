/*
 * Control flow of a function: predecessors, dominators, innermost natural loops. LLVM-C has none of
 * these. Unreachable blocks are not included.
 */
#ifndef FR_PASS_CFG_H
#define FR_PASS_CFG_H

#include "pass.h"

struct fr_cfg {
	unsigned n;		  /* blocks, numbered in reverse postorder: 0 is the entry */
	LLVMBasicBlockRef *block; /* by number */
	struct fr_map number;	  /* block -> number + 1 */
	unsigned *idom;		  /* immediate dominator; that of the entry is itself */
	unsigned *succ_at, *succ; /* successors of b: succ[succ_at[b]] ... */
	unsigned *pred_at, *pred;
};

/* An innermost natural loop with one latch whose blocks form no other cycle. */
struct fr_loop_cfg {
	unsigned header, latch;
	FR_VEC(unsigned) body; /* ascending: header first; each before its successors in the loop */
	struct fr_map in;      /* block number -> 1 */
	struct fr_loop_cfg *inner; /* in a nest: the only loop inside, itself innermost */
};

void fr_cfg_build(struct fr_cfg *c, LLVMValueRef fn);
void fr_cfg_free(struct fr_cfg *c);
bool fr_cfg_dominates(const struct fr_cfg *c, unsigned a, unsigned b);
/* Calls `each` for every such loop. */
void fr_cfg_loops(struct fr_cfg *c, void (*each)(void *, struct fr_loop_cfg *), void *ctx);
/* Calls `each` for every loop that contains exactly one such loop and no other cycle. */
void fr_cfg_nests(struct fr_cfg *c, void (*each)(void *, struct fr_loop_cfg *), void *ctx);
/* Finds the loop of a header that has one latch; it may contain others. Returns false if the block
   is no such header. Free the loop in both cases. */
bool fr_cfg_loop(struct fr_cfg *c, unsigned header, struct fr_loop_cfg *l);
/* Finds the loop of a header, which may have several latches; `latch` is one of them. Returns their
   number. Free the loop in any case. */
unsigned fr_cfg_loop_any(struct fr_cfg *c, unsigned header, struct fr_loop_cfg *l);
void fr_cfg_loop_free(struct fr_loop_cfg *l);
static inline bool fr_loop_has(const struct fr_loop_cfg *l, unsigned b)
{
	return fr_map_get(&l->in, b) != NULL;
}
/* Number of the block, or UINT32_MAX. */
unsigned fr_cfg_number(const struct fr_cfg *c, LLVMBasicBlockRef b);

#endif
