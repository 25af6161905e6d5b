/*
 * Orders that follow without a search, to a fixpoint: from what is certainly in the reordering,
 * the writes that reads can take, and critical sections that cannot come the other way round.
 */
#ifndef FR_ORACLE_ORDER_FORCE_H
#define FR_ORACLE_ORDER_FORCE_H

#include "oracle/order_po.h"

/* For the segment, whatever the candidate: if the second is in, the first is in and before it. */
void fr_force_base(struct fr_po *po);
/* For a candidate: po->lo and po->hi are set. False: there is no such reordering. True: nothing
   follows any more, or po->is_late says so; what was added is right in any case. */
bool fr_force(struct fr_po *po);

/*
 * Writes that a read can take (FR_SEG_CUT among them: the state at the cut), less those that are
 * certainly before another one that would do as well. At most max; returns how many were found.
 */
uint32_t fr_force_sources(const struct fr_po *po, const struct fr_seg_read *r, uint32_t *ret,
			  uint32_t max);
/* Index of the last write of the cell in thread t before place p that is not good for r; the first
   one from place p on. FR_NODE_NONE: none. */
uint32_t fr_force_bad_before(const struct fr_seg *s, const struct fr_seg_read *r, uint32_t t,
			     uint32_t p);
uint32_t fr_force_bad_from(const struct fr_seg *s, const struct fr_seg_read *r, uint32_t t,
			   uint32_t p);

#endif
