/*
 * What is ahead of threads, and what memory holds: shared by order_step.c, which takes steps, and
 * order_ahead.c, which judges what they would mean for others.
 */
#ifndef FR_MODEL_ORDER_STEP_H
#define FR_MODEL_ORDER_STEP_H

#include "model/order_node.h"

/* The whole place of a node's 32-bit one: it is at or behind the head. */
static inline uint64_t whole(const struct fr_lthread *t, uint32_t place)
{
	return t->head + (uint32_t)(place - (uint32_t)t->head);
}

/* Does memory hold something else than what the read returned? */
static inline bool differs(const struct fr_gran *g, const struct fr_item *i)
{
	uint64_t x = g->value ^ i->value;

	return __builtin_expect(x != 0, 0) && (x & spread(i->aux & g->known)) != 0;
}

/*
 * Bytes of a read of which it is not known what memory holds, so that it may be what somebody has
 * yet to write: nobody has written them, or a write without a value has, and they are not zero,
 * which is what such writes mostly leave.
 */
static inline unsigned in_doubt(const struct fr_gran *g, const struct fr_item *read)
{
	unsigned unknown = read->aux & ~g->known, left = unknown & g->written;

	return __builtin_expect(left != 0, 0) && !(read->value & spread(left)) ? unknown & ~left
									       : unknown;
}

/* ---- order_ahead.c ---- */

/* The first write ahead of a thread that leaves what the read wants where memory differs. */
uint64_t fr_ahead_write(const struct fr_load *l, const struct fr_lthread *u, uint32_t node,
			const struct fr_gran *g, const struct fr_item *read);
/* A read of bytes that are in doubt: has somebody else the value ahead? */
bool fr_ahead_awaited(const struct fr_load *l, const struct fr_lthread *u, const struct fr_gran *g,
		      const struct fr_item *read);
/* How far thread u should go before t's write happens; UINT64_MAX: no further. */
uint64_t fr_ahead_reader(const struct fr_load *l, const struct fr_lthread *t,
			 const struct fr_lthread *u, uint32_t node, const struct fr_gran *g,
			 const struct fr_item *write, bool writes);
/* Would the write take away from somebody what he has yet to read? */
bool fr_ahead_harms(const struct fr_load *l, const struct fr_lthread *t,
		    const struct fr_item *write);
/* Will a read never be explained, so that a write must be put in for it? */
bool fr_ahead_lost(const struct fr_load *l, const struct fr_lthread *t, const struct fr_item *read);

/* ---- order_ask.c ---- */

/* Tries to have memory hold what a read wants by letting another thread write it. False if nobody
   has that ahead. */
bool fr_ask_writer(struct fr_load *l, struct fr_lthread *t, const struct fr_item *read, bool rough,
		   unsigned depth);
/* Lets readers of what is about to be overwritten go first. True if anybody went. Gently: no longer
   than until somebody cannot who must. */
bool fr_ask_readers(struct fr_load *l, struct fr_lthread *t, const struct fr_item *write,
		    enum fr_how how, unsigned depth);

#endif
