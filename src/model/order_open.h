/*
 * Reads without a value (ranges, more than 8 bytes) keep the write that they saw in the order that
 * the loader chose. Is that write settled by stamps, or could the run have been otherwise?
 *
 * Meaning:   an access happened between the stamps before and after it in its thread. It is open
 *            whether a write of another thread to the same bytes came before or after it, if these
 *            times overlap. A read is open if that is so of it and a write, or of the write that it
 *            sees and another one before that.
 * Kept:      for each granule the last writing thread and, of it and of all others, which bytes
 *            were written and the latest stamp that they came before. So a read may count for what
 *            was written to its bytes longer ago; of threads whose stamps are far apart, what was
 *            written by three or more may be forgotten too early.
 */
#ifndef FR_MODEL_ORDER_OPEN_H
#define FR_MODEL_ORDER_OPEN_H

#include "model/load.h"

/* May a write of another thread that was taken before have come after what the thread does now? */
static inline bool fr_open_order(const struct fr_gran *g, const struct fr_lthread *t, unsigned mask)
{
	return (g->writer != t->index && (g->wrote[0] & mask) && g->until[0] > t->begun) ||
	       ((g->wrote[1] & mask) && g->until[1] > t->begun);
}

/* A write is taken. */
static inline void fr_open_write(struct fr_gran *g, const struct fr_lthread *t, unsigned mask)
{
	g->open = (uint8_t)((g->open & ~mask) | (fr_open_order(g, t, mask) ? mask : 0));
	if (g->writer != t->index) {
		if (g->until[1] <= t->begun)
			g->wrote[1] = 0;
		g->wrote[1] |= g->wrote[0];
		g->until[1] = g->until[0] > g->until[1] ? g->until[0] : g->until[1];
		g->wrote[0] = 0;
		g->writer = t->index;
	}
	g->wrote[0] |= (uint8_t)mask;
	g->until[0] = t->end;
}

/* A read without a value is taken: is it open which write it saw? */
bool fr_open_read(const struct fr_load *l, const struct fr_lthread *t, const struct fr_item *read);

/* The life of a granule ends or begins. */
static inline void fr_open_clear(struct fr_gran *g)
{
	g->wrote[0] = g->wrote[1] = 0;
	g->until[0] = g->until[1] = 0;
	g->writer = FR_NONE;
	g->open = 0;
}

#endif
