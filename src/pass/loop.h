/*
 * A loop that may be recorded when it is left: its accesses (loop.c), the events they make
 * (tile.c), and the order of those (loop_order.c).
 */
#ifndef FR_PASS_LOOP_H
#define FR_PASS_LOOP_H

#include "stride.h"

#define FR_STRIDES_MAX 24
#define FR_TILE_MIN 32
#define FR_TILE_MAX 4096

/* An access of the loop, in program order. */
struct fr_loop_access {
	struct fr_access *a;
	unsigned block;
	struct fr_guard guard;
	unsigned last; /* bit k: executed in the iteration that exit k leaves */
	struct fr_sum sum;
	int64_t stride;
	bool constant, strided;
	size_t in; /* its event */
};

struct fr_loop {
	struct fr_func *f;
	struct fr_cfg *cfg;
	struct fr_loop_cfg *l;
	struct fr_ivs ivs;
	struct fr_stride_plan plan;
	const struct fr_map *first; /* block -> its first access + 1 */
	bool nested; /* it is the inner one of a nest: the runtime orders its events */
	FR_VEC(struct fr_loop_access) items;
};

/* loop.c: what a loop must be, its exits and induction variables. */
bool fr_loop_begin(struct fr_loop *p);
/* Its accesses outside an inner loop; false if there are too many. */
bool fr_loop_items(struct fr_loop *p);
/* Is the item's block executed once in each iteration? Fills guard and last. */
bool fr_loop_counted(struct fr_loop *p, struct fr_loop_access *i);
/* Can control go from one block to another within an iteration? */
bool fr_loop_reaches(struct fr_loop *p, unsigned from, unsigned to);
/* All of it, and the events. */
bool fr_loop_plan(struct fr_loop *p);
/* Marks what is recorded when the loop (of a nest: the outer one) of this header is left. */
void fr_loop_done(struct fr_loop *p, LLVMBasicBlockRef header);
void fr_loop_free(struct fr_loop *p);

/* nest.c: two loops, one in the other, recorded when the outer one is left. */
void fr_nest_try(struct fr_loop *outer);

/* tile.c: one event for each strided item, or for several that are next to each other. */
void fr_tile_events(struct fr_loop *p);
/* Takes back what stays in its place and is too small; true if there was any. */
bool fr_tile_drop_small(struct fr_loop *p);
/* Unrolled copies become one event. */
void fr_tile_fold(struct fr_loop *p);

/* loop_order.c: makes the events and orders them; false if an order would be lost. */
bool fr_order_events(struct fr_loop *p);

#endif
