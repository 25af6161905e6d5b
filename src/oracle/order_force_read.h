/*
 * What follows from a read's possible sources. All return false if there is no such reordering.
 */
#ifndef FR_ORACLE_ORDER_FORCE_READ_H
#define FR_ORACLE_ORDER_FORCE_READ_H

#include "oracle/order_po.h"

/* Everything that follows from the read, which is in; base: that holds whatever the candidate. */
bool fr_force_read(struct fr_po *po, const struct fr_seg_read *r, bool base);
/* The same, after nodes of thread t got before it: those from `from` on and before `to`. */
bool fr_force_read_pred(struct fr_po *po, uint32_t read, uint32_t t, uint32_t from, uint32_t to);
/* The same, after those from `from` on got behind it. */
bool fr_force_read_succ(struct fr_po *po, uint32_t read, uint32_t t, uint32_t from);
/* For those who read the write: nodes of thread t got behind it; it can no longer be in. */
bool fr_force_write_succ(struct fr_po *po, uint32_t w, uint32_t t, uint32_t from, uint32_t to);
bool fr_force_write_out(struct fr_po *po, uint32_t w);

#endif
