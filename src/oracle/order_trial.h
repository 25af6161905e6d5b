/*
 * A trial runs the nodes that must be in, in an order that respects a partial order and otherwise
 * follows the recording. It reports the rules of model/model.h that this order breaks.
 */
#ifndef FR_ORACLE_ORDER_TRIAL_H
#define FR_ORACLE_ORDER_TRIAL_H

#include "oracle/order_po.h"

enum fr_fault_kind {
	FR_FAULT_LOCK,	/* sections a and b overlap */
	FR_FAULT_READ,	/* read a sees the wrong write b, or the state at the cut */
	FR_FAULT_TRY,	/* failed try-lock a: no thread holds the lock */
	FR_FAULT_SEM,	/* semaphore a: the count is wrong at node b */
	FR_FAULT_COND,	/* condition a: a wait has no signal */
	FR_FAULT_AFTER, /* fr_seg_after a: none of its nodes has happened */
};
struct fr_fault {
	enum fr_fault_kind kind;
	uint32_t a, b;
};

struct fr_trial {
	const struct fr_seg *s;
	uint32_t *order, n; /* the nodes that are in, in order */
	uint32_t *rank;	    /* by node; FR_NODE_NONE: out */
	const bool *exempt; /* that of the order */
	FR_VEC(struct fr_fault) fault;
	/* scratch */
	uint32_t *missing, *head, *heap;
	FR_VEC(uint32_t) next, to;
	uint32_t *last;		 /* by cell */
	uint32_t *units;	 /* by semaphore */
	FR_VEC(uint32_t) * held; /* by lock: sections */
};

void fr_trial_init(struct fr_trial *x, const struct fr_seg *s);
void fr_trial_destroy(struct fr_trial *x);
/* Orders the nodes that are in by the edges of po, and runs that order. False: it has faults. */
bool fr_trial_run(struct fr_trial *x, const struct fr_po *po);
/* Returns the time of an event that is in, or before the cut (negative); INT64_MAX = out. */
int64_t fr_trial_when(const struct fr_trial *x, uint32_t node, fr_ev ev);

#endif
