/*
 * Questions about the accesses ahead of the threads on one granule: where does a value come from,
 * which threads must read it before it is overwritten, which threads must write before a read?
 *
 * Bound: CHECKED_MAX entries of each list.
 */
#include "model/load_order_step.h"

#define CHECKED_MAX 64

#define BYTE(m, i) ((m) >> (i) & 1 ? UINT64_C(0xff) << 8 * (i) : 0)
#define BYTES(m)                                                                                   \
	BYTE(m, 0) | BYTE(m, 1) | BYTE(m, 2) | BYTE(m, 3) | BYTE(m, 4) | BYTE(m, 5) | BYTE(m, 6) | \
	    BYTE(m, 7)
#define FOUR(m) BYTES(m), BYTES((m) + 1), BYTES((m) + 2), BYTES((m) + 3)
#define SIXTEEN(m) FOUR(m), FOUR((m) + 4), FOUR((m) + 8), FOUR((m) + 12)
#define SIXTY_FOUR(m) SIXTEEN(m), SIXTEEN((m) + 16), SIXTEEN((m) + 32), SIXTEEN((m) + 48)
const uint64_t fr_spread[256] = {SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128), SIXTY_FOUR(192)};

uint64_t fr_ahead_write(const struct fr_load *l, const struct fr_lthread *u, uint32_t node,
			const struct fr_gran *g, const struct fr_item *read)
{
	uint32_t at = l->node.v[node].first;

	fr_assert_slow(l->node.v[node].thread == u->index);
	for (unsigned k = 0; k < CHECKED_MAX && at != FR_NONE; k++) {
		const struct fr_item *w = fr_item_at(u, at);
		unsigned both = w->aux & read->aux;

		if (w->kind == FR_EV_WRITE && both && has_value(w) &&
		    !((w->value ^ read->value) & spread(both)) &&
		    (((g->value ^ read->value) & spread(both & g->known)) || (both & ~g->known)))
			return whole(u, at);
		at = w->next;
	}
	return UINT64_MAX;
}

/* Nobody is known to have written this value yet. If another thread has such a write ahead, the
   value comes from it. */
bool fr_ahead_awaited(const struct fr_load *l, const struct fr_lthread *u, const struct fr_gran *g,
		      const struct fr_item *read)
{
	if (__builtin_expect(!in_doubt(g, read), 1))
		return false;
	for (uint32_t n = g->node; n != FR_NONE; n = l->node.v[n].next) {
		const struct fr_lthread *v = &l->thread[l->node.v[n].thread];

		if (v != u && fr_ahead_write(l, v, n, g, read) != UINT64_MAX)
			return true;
	}
	return false;
}

/* Will the write, or a later one of its thread, explain the read where memory does not? */
static bool explains(const struct fr_load *l, const struct fr_lthread *t, const struct fr_gran *g,
		     const struct fr_item *write, const struct fr_item *read)
{
	struct fr_gran after = *g;
	uint32_t n;

	fr_assert_slow(read->kind == FR_EV_READ && has_value(read));
	if (has_value(write) && (write->aux & read->aux)) {
		after.value = (g->value & ~spread(write->aux)) | write->value;
		after.known |= write->aux;
		if (!differs(&after, read))
			return true;
	}
	n = fr_node_of(l, t, write->granule);
	return n != FR_NONE && fr_ahead_write(l, t, n, g, read) != UINT64_MAX;
}

/* Does t have, after accesses of its own, a read ahead that a write of u up to `to` explains? Then
   t goes first. */
static bool needs(const struct fr_load *l, const struct fr_lthread *t, const struct fr_lthread *u,
		  uint32_t node, const struct fr_gran *g, uint64_t to)
{
	uint32_t mine = fr_node_of(l, t, l->node.v[node].granule),
		 at = mine == FR_NONE ? mine : l->node.v[mine].first;
	struct fr_gran then = *g;

	for (unsigned k = 0; k < CHECKED_MAX && at != FR_NONE; k++) {
		const struct fr_item *i = fr_item_at(t, at);

		if (i->kind == FR_EV_READ && has_value(i) && differs(&then, i))
			return fr_ahead_write(l, u, node, &then, i) <= to;
		if (has_value(i)) {
			then.value = (then.value & ~spread(i->aux)) | i->value;
			then.known |= i->aux;
		} else if (i->kind == FR_EV_WRITE) {
			then.known &= (uint8_t)~i->aux;
		}
		at = i->next;
	}
	return false;
}

/*
 * Where thread u should stop before t's write happens. Normally: at u's last read ahead that needs
 * the current value and would not find it any more. Exception: if u first writes the same bytes or
 * reads another value, and the write explains a later read of u, stop at the access before that
 * read.
 */
uint64_t fr_ahead_reader(const struct fr_load *l, const struct fr_lthread *t,
			 const struct fr_lthread *u, uint32_t node, const struct fr_gran *g,
			 const struct fr_item *write, bool writes)
{
	struct fr_gran then = *g;
	uint64_t found = UINT64_MAX;
	uint32_t at = l->node.v[node].first, before = at;
	bool own = false, other = false;

	fr_assert_slow(u != t && l->node.v[node].thread == u->index);
	for (unsigned k = 0; k < CHECKED_MAX && at != FR_NONE; k++) {
		const struct fr_item *i = fr_item_at(u, at);
		unsigned both = i->aux & write->aux;

		if (i->kind == FR_EV_WRITE) {
			own |= both != 0;
			then.written |= i->aux;
			then.known &= (uint8_t)~i->aux;
		} else if (has_value(i)) {
			if (differs(&then, i) || fr_ahead_awaited(l, u, &then, i)) {
				if (!writes)
					return found;
				if ((own || other) && explains(l, t, &then, write, i))
					return needs(l, t, u, node, g, whole(u, before))
						   ? found
						   : whole(u, before);
				other = true;
			}
			if (!own && !other && both &&
			    (!has_value(write) || ((i->value ^ write->value) & spread(both))))
				found = whole(u, at);
		}
		if (has_value(i)) {
			then.value = (then.value & ~spread(i->aux)) | i->value;
			then.known |= i->aux;
		}
		before = at;
		at = i->next;
	}
	return found;
}

bool fr_ahead_harms(const struct fr_load *l, const struct fr_lthread *t,
		    const struct fr_item *write)
{
	const struct fr_gran *g = &l->gran[write->granule];
	uint32_t bits = fr_node_wanted(g, write);

	fr_assert_slow(write->kind == FR_EV_WRITE);
	for (uint32_t n = g->node; n != FR_NONE; n = l->node.v[n].next) {
		const struct fr_lthread *u = &l->thread[l->node.v[n].thread];

		if (fr_node_may_read(&l->node.v[n], write, bits) && u != t &&
		    fr_ahead_reader(l, t, u, n, g, write, false) != UINT64_MAX)
			return true;
	}
	return false;
}

/* No thread has a write ahead of the value that this read needs: the value will never appear. This
   is certain only if all items ahead are known, as for the thread that is due and for the threads
   asked on its behalf. */
bool fr_ahead_lost(const struct fr_load *l, const struct fr_lthread *t, const struct fr_item *read)
{
	const struct fr_gran *g = &l->gran[read->granule];

	if (!l->due || read->kind != FR_EV_READ || !has_value(read) || !differs(g, read))
		return false;
	for (uint32_t n = g->node; n != FR_NONE; n = l->node.v[n].next) {
		const struct fr_lthread *u = &l->thread[l->node.v[n].thread];

		if (fr_node_may_write(&l->node.v[n], read) && u != t &&
		    fr_ahead_write(l, u, n, g, read) != UINT64_MAX)
			return false;
	}
	return true;
}
