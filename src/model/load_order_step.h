/*
 * Helpers that three files share: load_order_step.c takes steps, load_order_ahead.c judges the
 * effect of a step on other threads, and load_order_ask.c lets other threads go first.
 */
#ifndef FR_MODEL_LOAD_ORDER_STEP_H
#define FR_MODEL_LOAD_ORDER_STEP_H

#include "model/load_order_node.h"

/* The 64-bit index of an item from a node's 32-bit one. The item is at the head or behind it. */
static inline uint64_t whole(const struct fr_lthread *t, uint32_t position)
{
	return t->head + (uint32_t)(position - (uint32_t)t->head);
}

/* Does memory hold another value than the read returned? */
static inline bool differs(const struct fr_gran *g, const struct fr_item *i)
{
	uint64_t x = g->value ^ i->value;

	return __builtin_expect(x != 0, 0) && (x & spread(i->aux & g->known)) != 0;
}

/* Bytes of a read whose memory content is unknown, so that the read may see a write that is still
   ahead. Either no thread has written them; or the last write has no value, and the read did not
   return zero, which such writes mostly leave. */
static inline unsigned in_doubt(const struct fr_gran *g, const struct fr_item *read)
{
	unsigned unknown = read->aux & ~g->known, left = unknown & g->written;

	return __builtin_expect(left != 0, 0) && !(read->value & spread(left)) ? unknown & ~left
									       : unknown;
}

/* ---- load_order_ahead.c ---- */

/* The first write ahead of thread u that provides the value that the read needs where memory
   differs. Returns its index, or UINT64_MAX. */
uint64_t fr_ahead_write(const struct fr_load *l, const struct fr_lthread *u, uint32_t node,
			const struct fr_gran *g, const struct fr_item *read);
/* For a read of bytes in doubt: does another thread than u have a write of the value ahead? */
bool fr_ahead_awaited(const struct fr_load *l, const struct fr_lthread *u, const struct fr_gran *g,
		      const struct fr_item *read);
/* Index up to which thread u should run before t's write happens; UINT64_MAX if u need not run. */
uint64_t fr_ahead_reader(const struct fr_load *l, const struct fr_lthread *t,
			 const struct fr_lthread *u, uint32_t node, const struct fr_gran *g,
			 const struct fr_item *write, bool writes);
/* Would the write destroy a value that another thread has yet to read? */
bool fr_ahead_harms(const struct fr_load *l, const struct fr_lthread *t,
		    const struct fr_item *write);
/* Is it certain that no write will explain the read, so that the loader must insert one? */
bool fr_ahead_lost(const struct fr_load *l, const struct fr_lthread *t, const struct fr_item *read);

/* ---- load_order_ask.c ---- */

/* Tries to make memory hold the value that a read needs, by letting another thread run up to its
   write. Returns false if no thread has such a write ahead. */
bool fr_ask_writer(struct fr_load *l, struct fr_lthread *t, const struct fr_item *read, bool rough,
		   unsigned depth);
/* Lets other threads first read the value that the write is about to overwrite. Returns whether any
   thread took a step. With FR_GENTLY, stops as soon as a thread that must read first cannot. */
bool fr_ask_readers(struct fr_load *l, struct fr_lthread *t, const struct fr_item *write,
		    enum fr_how how, unsigned depth);

#endif
