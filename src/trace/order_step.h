/*
 * What is ahead of threads, and what memory holds: shared by order_step.c, which takes steps, and
 * order_ahead.c, which judges what they would mean for others.
 */
#ifndef FR_TRACE_ORDER_STEP_H
#define FR_TRACE_ORDER_STEP_H

#include "trace/load.h"

/* The whole place of a node's 32-bit one: it is at or behind the head. */
static inline uint64_t whole(const struct fr_lthread *t, uint32_t place)
{
	return t->head + (uint32_t)(place - (uint32_t)t->head);
}

/* 0xff in each byte whose bit is set. */
extern const uint64_t fr_spread[256];

static inline uint64_t spread(unsigned mask)
{
	return fr_spread[mask & 0xff];
}

static inline bool has_value(const struct fr_item *i)
{
	return !(i->flags & FR_F_NOVALUE);
}

/* A node beyond those that are free. */
uint32_t fr_node_new(struct fr_load *l);

/* Puts an item on the list of its granule. */
static inline void fr_node_add(struct fr_load *l, struct fr_lthread *t, uint64_t place)
{
	struct fr_item *i = fr_item_at(t, place);
	struct fr_gran *g = &l->gran[i->granule];
	uint32_t n;

	i->next = FR_NONE;
	for (n = g->node; n != FR_NONE; n = l->node.v[n].next)
		if (l->node.v[n].thread == t->index) {
			fr_item_at(t, l->node.v[n].last)->next = (uint32_t)place;
			l->node.v[n].last = (uint32_t)place;
			return;
		}
	n = l->free_node;
	if (__builtin_expect(n != FR_NONE, 1))
		l->free_node = l->node.v[n].next;
	else
		n = fr_node_new(l);
	l->node.v[n] = (struct fr_node){
	    .next = g->node, .thread = t->index, .first = (uint32_t)place, .last = (uint32_t)place};
	g->node = n;
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

#endif
