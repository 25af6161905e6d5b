/*
 * The accesses ahead of the threads, by granule. A node holds the first and the last access of one
 * thread to one granule that are ahead, and is on the granule's list. A thread finds its own nodes
 * through a hash table, so a granule that all threads read costs no more than any other.
 *
 * Each node has two 32-bit filters for the values that its reads and its writes have. A filter
 * shows in most cases that a value is absent. It is valid only for queries with the mask that all
 * accesses of the node share. Accesses that are done stay in the filter until the node is empty.
 */
#ifndef FR_MODEL_LOAD_ORDER_NODE_H
#define FR_MODEL_LOAD_ORDER_NODE_H

#include "base/hash.h"
#include "model/load.h"

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

static inline uint32_t fr_value_bit(uint64_t value)
{
	return UINT32_C(1) << (fr_hash_spread(value) >> 59);
}

/* Adds a node for the thread to the granule's list and to the thread's table. */
uint32_t fr_node_new(struct fr_load *l, struct fr_lthread *t, uint32_t granule, uint64_t position);

static inline uint32_t *fr_node_bucket(const struct fr_lthread *t, uint32_t granule)
{
	return &t->bucket[granule * UINT32_C(0x9e3779b1) >> (32 - t->bucket_bits)];
}

/* The thread's node for a granule; FR_NONE if the thread has no access to it ahead. */
static inline uint32_t fr_node_of(const struct fr_load *l, const struct fr_lthread *t,
				  uint32_t granule)
{
	uint32_t n = t->bucket ? *fr_node_bucket(t, granule) : FR_NONE;

	while (n != FR_NONE && l->node.v[n].granule != granule)
		n = l->node.v[n].chain;
	return n;
}

/* Adds an item to the list of its granule. */
static inline void fr_node_add(struct fr_load *l, struct fr_lthread *t, uint64_t position)
{
	struct fr_item *i = fr_item_at(t, position);
	uint32_t at = fr_node_of(l, t, i->granule);
	struct fr_node *n;

	fr_assert_slow(fr_item_is_access(i) && t->head <= position && position < t->tail);
	i->next = FR_NONE;
	if (at == FR_NONE) {
		at = fr_node_new(l, t, i->granule, position);
		n = &l->node.v[at];
		n->mask = i->aux;
	} else {
		n = &l->node.v[at];
		fr_item_at(t, n->last)->next = (uint32_t)position;
		n->last = (uint32_t)position;
		if (n->mask != i->aux)
			n->mask = 0;
	}
	if (has_value(i))
		n->values[i->kind == FR_EV_WRITE] |= fr_value_bit(i->value);
	if (i->kind == FR_EV_WRITE)
		l->gran[i->granule].news++;
}

/* Removes the item at the head of the thread, which is done. */
static inline void fr_node_pop(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	uint32_t *link = fr_node_bucket(t, i->granule), at;
	struct fr_node *n;

	while (l->node.v[*link].granule != i->granule)
		link = &l->node.v[*link].chain;
	at = *link;
	n = &l->node.v[at];
	fr_assert_slow(n->thread == t->index && n->first == (uint32_t)t->head);
	if (i->next != FR_NONE) {
		n->first = i->next;
		return;
	}
	fr_assert_slow(n->last == n->first && t->nodes);
	*link = n->chain;
	if (n->next != FR_NONE)
		l->node.v[n->next].prev = n->prev;
	if (n->prev != FR_NONE)
		l->node.v[n->prev].next = n->next;
	else
		l->gran[i->granule].node = n->next;
	n->next = l->free_node;
	l->free_node = at;
	t->nodes--;
}

/* Can the node contain a write of the value that the read returned? */
static inline bool fr_node_may_write(const struct fr_node *n, const struct fr_item *read)
{
	return n->mask != read->aux || (n->values[1] & fr_value_bit(read->value));
}

/* Filter bits of the values that reads may still need before this write overwrites them. */
static inline uint32_t fr_node_wanted(const struct fr_gran *g, const struct fr_item *write)
{
	if (write->aux & ~g->known)
		return UINT32_MAX;
	return fr_value_bit(g->value & spread(write->aux));
}

/* Can the node contain a read of one of these values, or of other bytes? */
static inline bool fr_node_may_read(const struct fr_node *n, const struct fr_item *write,
				    uint32_t bits)
{
	return n->mask != write->aux || (n->values[0] & bits);
}

#endif
