/*
 * A loop that may be recorded when it is left: its accesses (loop.c), their events (tile.c), and
 * the order of the events (loop_order.c).
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
	size_t in; /* index of its event */
};

struct fr_loop {
	struct fr_func *f;
	struct fr_cfg *cfg;
	struct fr_loop_cfg *l;
	struct fr_ivs ivs;
	struct fr_stride_plan plan;
	const struct fr_map *first; /* block -> its first access + 1 */
	bool nested;		    /* the inner loop of a nest: the runtime orders its events */
	FR_VEC(struct fr_loop_access) items;
};

/* loop.c: checks that the loop qualifies; finds its exits and induction variables. */
bool fr_loop_begin(struct fr_loop *p);
/* Finds its accesses outside an inner loop; false if there are too many. */
bool fr_loop_items(struct fr_loop *p);
/* True if the item's block is executed once in each iteration. Fills guard and last. */
bool fr_loop_counted(struct fr_loop *p, struct fr_loop_access *i);
/* True if control can go from one block to another within an iteration. */
bool fr_loop_reaches(struct fr_loop *p, unsigned from, unsigned to);
/* All of these, and the events. */
bool fr_loop_plan(struct fr_loop *p);
/* Marks the accesses that are recorded when the loop (of a nest: the outer
   one) of this header is left. */
void fr_loop_done(struct fr_loop *p, LLVMBasicBlockRef header);
void fr_loop_free(struct fr_loop *p);

/* nest.c: two nested loops, recorded when the outer one is left. */
void fr_nest_try(struct fr_loop *outer);

/* tile.c: makes one event for each strided item, or for several adjacent ones. */
void fr_tile_events(struct fr_loop *p);
/* Gives small items that do not move their hooks back; true if there were any. */
bool fr_tile_drop_small(struct fr_loop *p);
/* Folds unrolled copies into one event. */
void fr_tile_fold(struct fr_loop *p);

/* loop_order.c: makes the events and orders them; false if an order would be lost. */
bool fr_order_events(struct fr_loop *p);

#endif
