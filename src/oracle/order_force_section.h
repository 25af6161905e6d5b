/*
 * The orders that follow from a critical section that has begun. All functions return false if no
 * such reordering exists.
 */
#ifndef FR_ORACLE_ORDER_FORCE_SECTION_H
#define FR_ORACLE_ORDER_FORCE_SECTION_H

#include "oracle/order_po.h"

/* Does the section certainly stay open to the end of the reordering? */
static inline bool fr_force_is_open(const struct fr_po *po, const struct fr_seg_section *b)
{
	return b->rel == FR_NODE_NONE || fr_po_is_out(po, b->rel);
}
/* Has the section certainly begun? */
static inline bool fr_force_is_begun(const struct fr_po *po, const struct fr_seg_section *b)
{
	return b->acq == FR_SEG_CUT || fr_po_is_in(po, b->acq);
}

/* Forces everything that follows from the section. fr_force_before: sections of thread t that begin
   before b ends must end before b begins. */
bool fr_force_section(struct fr_po *po, const struct fr_seg_section *b);
bool fr_force_before(struct fr_po *po, const struct fr_seg_section *b, uint32_t t);
/* For every candidate: a section that follows the beginning of another one of its lock, or whose
   lock is held at the cut, follows its end. False: the section cannot begin. */
bool fr_force_section_base(struct fr_po *po, const struct fr_seg_section *b);

#endif
