/* Decides whether the write that a read without a value saw is certain: see load_order_open.h. */
#include "model/load_order_open.h"

#define CHECKED_MAX 64 /* accesses of a thread that are checked */

static bool writes_ahead(const struct fr_load *l, const struct fr_lthread *u, uint32_t node,
			 unsigned mask)
{
	uint32_t at = l->node.v[node].first;

	fr_assert_slow(l->node.v[node].thread == u->index);
	for (unsigned k = 0; k < CHECKED_MAX && at != FR_NONE; k++) {
		const struct fr_item *i = fr_item_at(u, at);

		if (i->kind == FR_EV_WRITE && (i->aux & mask))
			return true;
		at = i->next;
	}
	return false;
}

bool fr_open_read(const struct fr_load *l, const struct fr_lthread *t, const struct fr_item *read)
{
	const struct fr_gran *g = &l->gran[read->granule];

	fr_assert(read->kind == FR_EV_READ && (read->flags & FR_F_NOVALUE));
	if ((g->open & read->aux) || fr_open_order(g, t, read->aux))
		return true;
	for (uint32_t n = g->node; n != FR_NONE; n = l->node.v[n].next) {
		const struct fr_lthread *u = &l->thread[l->node.v[n].thread];

		if (u != t && writes_ahead(l, u, n, read->aux))
			return true;
	}
	return false;
}
