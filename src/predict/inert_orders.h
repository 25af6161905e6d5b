/*
 * Orders of accesses that cannot make the program fail. An order violation counts only with a
 * failure, and each costs executions.
 *
 * Two things can lead to a failure: the value that the read returns, and a thread that waits for
 * another while it holds a lock around one of the accesses. So a candidate is left out if its read
 * is inert (causality/slice.h), and if the lock regions around its events contain only accesses
 * that are not atomic.
 */
#ifndef FR_PREDICT_INERT_ORDERS_H
#define FR_PREDICT_INERT_ORDERS_H

#include "predict/predict.h"

/* Drops the groups of which this is true for all instances, and counts them as excluded. */
void fr_inert_leave_out(const struct fr_work *w, struct fr_groups *g);

#endif
