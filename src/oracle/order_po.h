/*
 * A partial order of the nodes of a segment, closed under transitivity at all times, and how much
 * of each chain is in the reordering.
 *
 * Meaning:   a -> b: in every reordering that the caller looks for, if b is in then a is in and
 *            before b, and if both are out nobody cares. lo[t]: so many nodes of chain t are
 *            certainly in; hi[t]: no more than so many can be.
 * Layout:    pred[n][t]: how many nodes of chain t are n or before n; succ[n][t]: the first place
 *            in chain t that is n or after n, the chain's length if there is none.
 * Cost:      each entry only moves one way; an edge that says nothing new costs one comparison.
 */
#ifndef FR_ORACLE_ORDER_PO_H
#define FR_ORACLE_ORDER_PO_H

#include "oracle/segment.h"

struct fr_po_old;
struct fr_po {
	const struct fr_seg *s;
	uint32_t *pred, *succ;
	uint32_t *lo, *hi;
	uint32_t *source; /* by read: the source that was chosen, FR_NODE_NONE: none yet */
	/* For order_force.c: two sources of each read, of different threads if it has such; the
	   second is FR_NODE_NONE if it has one alone, the first if it was not looked at. */
	uint32_t *some;
	bool *watched; /* by write: it is one of the two of some read, or was once */
	/* What fr_force has to look at: old values from `seen` on, and nodes that are newly in or
	   out. */
	size_t seen;
	FR_VEC(uint32_t) dirty;
	bool *is_dirty;
	bool (*is_late)(void *arg); /* NULL: never. Then fr_force ends early */
	void *arg;
	bool forced;			 /* fr_force has looked at everything once */
	uint32_t *scratch;		 /* by thread */
	FR_VEC(struct fr_seg_edge) edge; /* that were added and said something new */
	bool log;			 /* old values are noted, so that they can come back */
	FR_VEC(struct fr_po_old) old;
};
struct fr_po_old {
	uint32_t *at, old;
};
/* A place to come back to. */
struct fr_po_mark {
	size_t edge, old;
};

/* Program order alone; nothing is certainly in or out. */
void fr_po_init(struct fr_po *po, const struct fr_seg *s);
void fr_po_copy(struct fr_po *to, const struct fr_po *from);
void fr_po_destroy(struct fr_po *po);
/* Adds a -> b. False: it would be a cycle. */
bool fr_po_add(struct fr_po *po, uint32_t a, uint32_t b);
/* So many nodes of the chain are certainly in; no more than so many can be. Never less than before,
   never more. */
void fr_po_raise(struct fr_po *po, uint32_t t, uint32_t lo);
void fr_po_lower(struct fr_po *po, uint32_t t, uint32_t hi);
/* Forgets what has changed. */
void fr_po_clean(struct fr_po *po);
/* What is in before what is in, what is out after what is out. False: something is in and out. */
bool fr_po_bounds(struct fr_po *po);

static inline struct fr_po_mark fr_po_mark(const struct fr_po *po)
{
	return (struct fr_po_mark){po->edge.n, po->old.n};
}
/* A mark is made where fr_force has come to its end. */
void fr_po_undo(struct fr_po *po, struct fr_po_mark m);

static inline void fr_po_touch(struct fr_po *po, uint32_t n)
{
	if (!po->is_dirty[n]) {
		po->is_dirty[n] = true;
		fr_vec_push(&po->dirty, n);
	}
}

static inline void fr_po_set(struct fr_po *po, uint32_t *at, uint32_t value)
{
	if (po->log)
		fr_vec_push(&po->old, (struct fr_po_old){at, *at});
	*at = value;
}
static inline uint32_t fr_po_pred(const struct fr_po *po, uint32_t n, uint32_t t)
{
	return po->pred[(size_t)n * po->s->nthreads + t];
}
static inline uint32_t fr_po_succ(const struct fr_po *po, uint32_t n, uint32_t t)
{
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
