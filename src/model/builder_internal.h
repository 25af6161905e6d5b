/* The builder's inside, for the loader: adds without a call, and takes out what turned out to be of
   no use. */
#ifndef FR_MODEL_BUILDER_INTERNAL_H
#define FR_MODEL_BUILDER_INTERNAL_H

#include "model/model.h"
#include <string.h>

/* Of the model's one large block of memory: an event and its places in two lists. */
#define FR_MODEL_BYTES (sizeof(struct fr_mev) + 2 * sizeof(fr_ev))

struct fr_builder {
	FR_VEC(struct fr_mev) ev;
	FR_VEC(struct fr_mthread) thread;
	FR_VEC(struct fr_mobj) obj[FR_C_COUNT];
};

/* Room for n events. Only what is used takes memory. */
void fr_builder_reserve(struct fr_builder *b, uint64_t n);

/* As fr_builder_add, without `create`. Words and no more: this is where loading spends its time. */
static inline fr_ev fr_builder_push(struct fr_builder *b, const struct fr_mev *e, uint64_t idx)
{
	fr_ev at = (fr_ev)b->ev.n;
	uint32_t *to;

	_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the words below");
	assert(e->thread < b->thread.n && b->ev.n < FR_NO_EV);
	fr_vec_reserve(&b->ev, 1);
	to = (uint32_t *)&b->ev.v[b->ev.n++];
	memcpy(to, &(uint64_t){e->value}, 8);
	to[2] = e->obj;
	to[3] = e->site | (uint32_t)e->flags << 22;
	to[4] = e->thread | (uint32_t)e->op << 16 | (uint32_t)e->mask << 24;
	fr_hooks_push(&b->thread.v[e->thread].hooks, idx);
	return at;
}

/*
 * Takes out the accesses of locations for which keep_loc is false, and the heap objects (with their
 * ALLOC and FREE) of which no location is left; gives the others new numbers. A step whose head
 * goes begins with what is left of it. `benign`: bytes of each location, for FR_F_BENIGN.
 */
void fr_builder_prune(struct fr_builder *b, const bool *keep_loc, const uint8_t *benign);

#endif
