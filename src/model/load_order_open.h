/*
 * Reads without a value (ranges, more than 8 bytes) keep the write that they saw in the order that
 * the loader chose. This header decides whether the stamps prove that write, or whether the run may
 * have had another order.
 *
 * Meaning: an access happened between the stamps before and after it in its thread. If these
 *          intervals overlap for a write and an access of another thread to the same bytes, their
 *          order is open. A read is open if its order with a write is open, or if the order of the
 *          write that it sees with an earlier write is open.
 * State:   each granule has its last writing thread. For that thread and for all others together it
 *          has the bytes written and the latest stamp before which they were written.
 * Inexact: a read may count as open because of an older write to its bytes. If threads have stamps
 *          far apart, the writes of three or more threads may be forgotten too early.
 */
#ifndef FR_MODEL_LOAD_ORDER_OPEN_H
#define FR_MODEL_LOAD_ORDER_OPEN_H

#include "model/load.h"

/* Can an earlier write of another thread in the chosen order have happened after the current access
   of t? */
static inline bool fr_open_order(const struct fr_gran *g, const struct fr_lthread *t, unsigned mask)
{
	return (g->writer != t->index && (g->wrote[0] & mask) && g->until[0] > t->begun) ||
	       ((g->wrote[1] & mask) && g->until[1] > t->begun);
}

/* Records a write. */
static inline void fr_open_write(struct fr_gran *g, const struct fr_lthread *t, unsigned mask)
{
	fr_assert_slow(!g->wrote[0] || g->writer != FR_NONE);
	g->open = (uint8_t)((g->open & ~mask) | (fr_open_order(g, t, mask) ? mask : 0));
	if (g->writer != t->index) {
		if (g->until[1] <= t->begun)
			g->wrote[1] = 0;
		g->wrote[1] |= g->wrote[0];
		g->until[1] = fr_max(g->until[0], g->until[1]);
		g->wrote[0] = 0;
		g->writer = t->index;
	}
	g->wrote[0] |= (uint8_t)mask;
	g->until[0] = t->end;
}

/* Is it open which write this read without a value saw? */
bool fr_open_read(const struct fr_load *l, const struct fr_lthread *t, const struct fr_item *read);

/* Resets the state when the lifetime of a granule begins or ends. */
static inline void fr_open_clear(struct fr_gran *g)
{
	g->wrote[0] = g->wrote[1] = 0;
	g->until[0] = g->until[1] = 0;
	g->writer = FR_NONE;
	g->open = 0;
}

#endif
