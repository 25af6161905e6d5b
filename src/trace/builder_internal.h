/* The builder's inside, for the loader: adds without a call, and takes out what turned out to be of
   no use. */
#ifndef FR_TRACE_BUILDER_INTERNAL_H
#define FR_TRACE_BUILDER_INTERNAL_H

#include "trace/model.h"

struct fr_builder {
	FR_VEC(struct fr_mev) ev;
	FR_VEC(struct fr_mthread) thread;
	FR_VEC(struct fr_mobj) obj[FR_C_COUNT];
	FR_VEC(uint32_t) high; /* of each thread's last event: high half of the index */
};

/* Room for n events. Only what is used takes memory. */
void fr_builder_reserve(struct fr_builder *b, uint64_t n);

/* As fr_builder_add, without `create`. Three words and no more: this is where loading spends its
   time. */
static inline fr_ev fr_builder_push(struct fr_builder *b, const struct fr_mev *e, uint64_t idx)
{
	struct fr_mthread *t = &b->thread.v[e->thread];
	fr_ev at = (fr_ev)b->ev.n;
	uint32_t high = (uint32_t)(idx >> 32);
	uint64_t *to;

	_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the words below");
	assert(e->thread < b->thread.n && b->ev.n < FR_NO_EV);
	fr_vec_reserve(&b->ev, 1);
	to = (uint64_t *)&b->ev.v[b->ev.n++];
	to[0] = e->value;
	to[1] = e->obj | (uint64_t)(e->site | (uint32_t)e->flags << 22) << 32;
	to[2] = (uint32_t)idx | (uint64_t)e->thread << 32 | (uint64_t)e->op << 48 |
		(uint64_t)e->mask << 56;
	if (__builtin_expect(high != b->high.v[e->thread], 0)) {
		fr_vec_push(&t->high, (struct fr_idx_mark){t->n, high});
		b->high.v[e->thread] = high;
	}
	t->n++;
	return at;
}

/*
 * Takes out the accesses of locations for which keep_loc is false, and the heap objects (with their
 * ALLOC and FREE) of which no location is left; gives the others new numbers. A step whose head
 * goes begins with what is left of it. `benign`: bytes of each location, for FR_F_BENIGN.
 */
void fr_builder_prune(struct fr_builder *b, const bool *keep_loc, const uint8_t *benign);

#endif
