/*
 * Orders that follow without a search, to a fixpoint: from the nodes that are certainly in the
 * reordering, from the writes that reads can take, and from critical sections that have only one
 * possible order.
 */
#ifndef FR_ORACLE_ORDER_FORCE_H
#define FR_ORACLE_ORDER_FORCE_H

#include "oracle/order_po.h"

/* Adds the orders that hold for every candidate in the segment: if the second node is in, the first
   is in and comes before it. */
void fr_force_base(struct fr_po *po);
/* Adds the orders that hold for one candidate; po->lo and po->hi are set. False: no such reordering
   exists. True: nothing more follows, or po->out_of_time ended the work. All added orders are
   correct in either case. */
bool fr_force(struct fr_po *po);

/* Finds the writes that a read can take, without those that certainly come before an equally good
   one. FR_SEG_CUT stands for the state at the cut. Returns their number, at most max. */
uint32_t fr_force_sources(const struct fr_po *po, const struct fr_seg_read *r, uint32_t *ret,
			  uint32_t max);
/* Return the index of the last write before position p (the first one from position p on) in thread
   t that writes another value to r's cell than r reads. FR_NODE_NONE: there is none. */
uint32_t fr_force_bad_before(const struct fr_seg *s, const struct fr_seg_read *r, uint32_t t,
			     uint32_t p);
uint32_t fr_force_bad_from(const struct fr_seg *s, const struct fr_seg_read *r, uint32_t t,
			   uint32_t p);

/* Adds a candidate, which must outlive the order, to the order of a segment, with all that it
   forces. */
bool fr_force_goal(struct fr_po *po, const struct fr_seg_goal *g);

#endif
