/*
 * A partial order of the nodes of a segment, transitively closed at all times, and bounds on how
 * much of each chain (the nodes of one thread) is in the reordering.
 *
 * Meaning:   a -> b: in every reordering that the caller looks for, if b is in, then a is in and
 *            comes before b. If both are out, their order does not matter. The first lo[t] nodes of
 *            chain t are certainly in, and at most hi[t] nodes of it can be.
 * Layout:    pred[n][t]: number of nodes of chain t that are n or before n. succ[n][t]: first
 *            position in chain t that is n or after n; the chain's length if there is none.
 * Cost:      each entry moves in one direction only. A redundant edge costs one comparison.
 */
#ifndef FR_ORACLE_ORDER_PO_H
#define FR_ORACLE_ORDER_PO_H

#include "base/assert.h"
#include "oracle/segment.h"

struct fr_po_old;
struct fr_po {
	const struct fr_seg *s;
	uint32_t *pred, *succ;
	uint32_t *lo, *hi;
	const struct fr_seg_goal *goal; /* NULL: none */
	const bool *exempt;		/* by read: it may return anything; NULL: none may */
	uint32_t *source;		/* by read: the chosen source, FR_NODE_NONE = none yet */
	/* For order_force_read.c: two sources of each read, in different threads if possible. The
	   second is FR_NODE_NONE if there is only one, the first if the read was not examined. */
	uint32_t *some;
	bool *watched; /* by write: it is, or was, one of the two sources of a read */
	/* Work for fr_force: the old values from `seen` on, and nodes that are newly in or out. */
	size_t seen;
	FR_VEC(uint32_t) dirty;
	bool *is_dirty;
	bool (*out_of_time)(void *arg); /* NULL = never; if true, fr_force ends early */
	void *arg;
	bool forced;			 /* fr_force has examined everything once */
	uint32_t *scratch;		 /* by thread */
	FR_VEC(struct fr_seg_edge) edge; /* edges that were added and not implied */
	bool log;			 /* keep old values for fr_po_undo */
	FR_VEC(struct fr_po_old) old;
};
struct fr_po_old {
	uint32_t *at, old;
};
/* A state to return to with fr_po_undo. */
struct fr_po_checkpoint {
	size_t edge, old;
};

/* Begins with program order alone; no node is certainly in or out. */
void fr_po_init(struct fr_po *po, const struct fr_seg *s);
void fr_po_copy(struct fr_po *to, const struct fr_po *from);
void fr_po_destroy(struct fr_po *po);
/* Adds a -> b. False: that would make a cycle. */
bool fr_po_add(struct fr_po *po, uint32_t a, uint32_t b);
/* Set a new bound. lo never falls, and hi never rises. */
void fr_po_raise(struct fr_po *po, uint32_t t, uint32_t lo);
void fr_po_lower(struct fr_po *po, uint32_t t, uint32_t hi);
/* Forgets the work for fr_force. */
void fr_po_clean(struct fr_po *po);
/* Propagates the bounds: predecessors of nodes that are in are in, successors of nodes that are out
   are out. False: a node would be both. */
bool fr_po_bounds(struct fr_po *po);

/* Is the order transitively closed, and do pred and succ agree? For assertions. */
bool fr_po_is_closed(const struct fr_po *po);
static inline struct fr_po_checkpoint fr_po_checkpoint(const struct fr_po *po)
{
	return (struct fr_po_checkpoint){po->edge.n, po->old.n};
}
/* Returns to the checkpoint, which was made when fr_force had reached its fixpoint. */
void fr_po_undo(struct fr_po *po, struct fr_po_checkpoint m);

/* Makes fr_force examine the node again. */
static inline void fr_po_touch(struct fr_po *po, uint32_t n)
{
	fr_assert_slow(n < po->s->n);
	if (!po->is_dirty[n]) {
		po->is_dirty[n] = true;
		fr_vec_push(&po->dirty, n);
	}
}

/* Changes an entry, and keeps its old value for fr_po_undo. */
static inline void fr_po_set(struct fr_po *po, uint32_t *at, uint32_t value)
{
	if (po->log)
		fr_vec_push(&po->old, (struct fr_po_old){at, *at});
	*at = value;
}
static inline uint32_t fr_po_pred(const struct fr_po *po, uint32_t n, uint32_t t)
{
	fr_assert_slow(n < po->s->n && t < po->s->nthreads);
	return po->pred[(size_t)n * po->s->nthreads + t];
}
static inline uint32_t fr_po_succ(const struct fr_po *po, uint32_t n, uint32_t t)
{
	fr_assert_slow(n < po->s->n && t < po->s->nthreads);
	return po->succ[(size_t)n * po->s->nthreads + t];
}
/* a == b or a -> b */
static inline bool fr_po_le(const struct fr_po *po, uint32_t a, uint32_t b)
{
	return fr_po_pred(po, b, po->s->thread[a]) > po->s->pos[a];
}
static inline bool fr_po_is_in(const struct fr_po *po, uint32_t n)
{
	return po->s->pos[n] < po->lo[po->s->thread[n]];
}
static inline bool fr_po_is_out(const struct fr_po *po, uint32_t n)
{
	return po->s->pos[n] >= po->hi[po->s->thread[n]];
}

#endif
