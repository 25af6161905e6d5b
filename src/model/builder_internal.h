/*
 * The inside of the builder, for the loader: a fast inline append, and the removal of events that
 * turned out not to matter.
 */
#ifndef FR_MODEL_BUILDER_INTERNAL_H
#define FR_MODEL_BUILDER_INTERNAL_H

#include "model/model.h"
#include <string.h>

/* Bytes per event in the model's one large block: the event and its entries in two lists. */
#define FR_MODEL_BYTES (sizeof(struct fr_mev) + 2 * sizeof(fr_ev))

struct fr_builder {
	FR_VEC(struct fr_mev) ev;
	FR_VEC(struct fr_mthread) thread;
	FR_VEC(struct fr_mobj) obj[FR_C_COUNT];
	/* HEAP objects that are never removed: used after their free, or with locks and the like */
	FR_VEC(uint32_t) used;
};

/* Makes room for n events. The system provides memory only for the part that is used. */
void fr_builder_reserve(struct fr_builder *b, uint64_t n);

/* Like fr_builder_add, but does not record the event as a thread's `create`. It stores whole words
   because loading spends most of its time here. */
static inline fr_ev fr_builder_push(struct fr_builder *b, const struct fr_mev *e, uint64_t hook)
{
	fr_ev at = (fr_ev)b->ev.n;
	uint32_t *to;

	_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the words below");
	fr_assert(e->thread < b->thread.n && b->ev.n < FR_NO_EV);
	fr_assert_slow(e->op < FR_OP_COUNT);
	fr_vec_reserve(&b->ev, 1);
	to = (uint32_t *)&b->ev.v[b->ev.n++];
	memcpy(to, &(uint64_t){e->value}, 8);
	to[2] = e->obj;
	to[3] = e->site | (uint32_t)e->flags << 22;
	to[4] =
	    e->thread | (uint32_t)e->op << 16 | (uint32_t)e->origin << 21 | (uint32_t)e->mask << 24;
	fr_hooks_push(&b->thread.v[e->thread].hooks, hook);
	return at;
}

/*
 * Removes the accesses to locations with keep_loc false, and the heap objects (with their ALLOC and
 * FREE) that have no location left. Renumbers the remaining objects. If a step loses its head, its
 * first remaining event becomes the head. `benign` is the mask of benign bytes of each location;
 * accesses to them get FR_F_BENIGN.
 */
void fr_builder_prune(struct fr_builder *b, const bool *keep_loc, const uint8_t *benign);

#endif
