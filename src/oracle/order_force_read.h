/*
 * The orders that follow from a read's possible sources. All functions return false if no such
 * reordering exists.
 */
#ifndef FR_ORACLE_ORDER_FORCE_READ_H
#define FR_ORACLE_ORDER_FORCE_READ_H

#include "oracle/order_po.h"

/* Forces everything that follows from the read, which is in. base: only for every candidate. */
bool fr_force_read(struct fr_po *po, const struct fr_seg_read *r, bool base);
/* The same, after the nodes of thread t at positions from ... to - 1 came before the read. */
bool fr_force_read_pred(struct fr_po *po, uint32_t read, uint32_t t, uint32_t from, uint32_t to);
/* The same, after the nodes of thread t from position `from` on came after the read. */
bool fr_force_read_succ(struct fr_po *po, uint32_t read, uint32_t t, uint32_t from);
/* For the readers of the write: nodes of thread t came after the write; the write is out. */
bool fr_force_write_succ(struct fr_po *po, uint32_t w, uint32_t t, uint32_t from, uint32_t to);
bool fr_force_write_out(struct fr_po *po, uint32_t w);

#endif
