/*
 * Runs a prefix of each chain in an order that respects given edges and is otherwise as recorded,
 * and says which rules of model/model.h that breaks.
 */
#ifndef FR_ORACLE_ORDER_TRIAL_H
#define FR_ORACLE_ORDER_TRIAL_H

#include "oracle/order_po.h"

enum fr_fault_kind {
	FR_FAULT_LOCK,	/* sections a and b overlap */
	FR_FAULT_READ,	/* read a finds the wrong write b or state at the cut */
	FR_FAULT_TRY,	/* failed try a: nobody holds the lock */
	FR_FAULT_SEM,	/* semaphore a: the count is wrong */
	FR_FAULT_COND,	/* condition a: a wait has no signal */
	FR_FAULT_AFTER, /* after a: none of them has happened */
};
struct fr_fault {
	enum fr_fault_kind kind;
	uint32_t a, b;
};

struct fr_trial {
	const struct fr_seg *s;
	uint32_t *count;    /* by thread: how many nodes are in; set by the caller */
	uint32_t *order, n; /* the nodes that are in, in order */
	uint32_t *rank;	    /* of each node; FR_NODE_NONE: not in, or on or behind a cycle */
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
/* Sorts what is in; false: there is a cycle. */
bool fr_trial_sort(struct fr_trial *x, const struct fr_po *po, const struct fr_seg_edge *edge,
		   size_t n);
/* Runs the order; false: there are faults. */
bool fr_trial_check(struct fr_trial *x);

#endif
