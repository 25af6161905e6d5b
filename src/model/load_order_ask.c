/*
 * Lets other threads go before a step of a thread in the recorded order (load_order_step.c): the
 * thread that writes the value that it reads, and the threads that read the value that it
 * overwrites.
 *
 * Cost: a thread asked in vain is not asked again in the same search. If neither memory nor a write
 * ahead explains the read at the head of a thread, the thread is stuck for all others; `vain`
 * remembers this until a write of the granule is added to the lists. If neither memory nor the
 * lists changed during a search, it continues instead of starting again.
 */
#include "model/load_order_step.h"

/* Grows with every change to memory or to the items ahead. */
static inline uint64_t changes(const struct fr_load *l)
{
	return l->b->ev.n + l->changes;
}

/* Is the read at the thread's head one that neither memory nor a write ahead explains? The thread
   then cannot continue gently. May return false although it is stuck. */
static inline bool stuck(const struct fr_load *l, const struct fr_lthread *u)
{
	const struct fr_gran *g = &l->gran[u->vain.granule];

	return u->vain.mask && u->vain.head == u->head && u->vain.news == g->news &&
	       ((g->value ^ u->vain.value) & spread(u->vain.mask & g->known));
}

bool fr_ask_writer(struct fr_load *l, struct fr_lthread *t, const struct fr_item *read, bool rough,
		   unsigned depth)
{
	struct fr_item want = *read;
	struct fr_gran *g = &l->gran[want.granule];
	uint32_t call = ++l->calls;
	bool any = false, vain = true;
	uint64_t was;

	fr_assert(t->busy && want.kind == FR_EV_READ && depth <= FR_ORDER_DEPTH);
	if (depth >= FR_ORDER_DEPTH)
		return true;
	if (t->vain.head == t->head && t->vain.granule == want.granule &&
	    t->vain.value == want.value && t->vain.mask == want.aux && t->vain.news == g->news)
		return false;
again:
	was = changes(l);
	for (uint32_t n = g->node; n != FR_NONE; n = l->node.v[n].next) {
		struct fr_lthread *u;
		uint64_t position;

		if (!fr_node_may_write(&l->node.v[n], &want))
			continue;
		u = &l->thread[l->node.v[n].thread];
		if (u == t || u->asked[depth] == call)
			continue;
		vain = false;
		u->asked[depth] = call;
		position = fr_ahead_write(l, u, n, g, &want);
		if (position == UINT64_MAX)
			continue;
		any = true;
		if (u->busy || (!rough && stuck(l, u)))
			continue;
		if (fr_step_until(l, u, position, rough ? FR_ROUGHLY : FR_GENTLY, depth + 1) &&
		    !differs(g, &want))
			return true;
		if (changes(l) != was)
			goto again; /* the list may have changed */
	}
	if (vain)
		t->vain = (struct fr_vain){.head = t->head,
					   .value = want.value,
					   .granule = want.granule,
					   .news = g->news,
					   .mask = want.aux};
	return any;
}

bool fr_ask_readers(struct fr_load *l, struct fr_lthread *t, const struct fr_item *write,
		    enum fr_how how, unsigned depth)
{
	struct fr_item w = *write;
	struct fr_gran *g = &l->gran[w.granule];
	uint32_t call = ++l->calls, mine = fr_node_of(l, t, w.granule), bits;
	bool went = false;
	uint64_t was;

	fr_assert(t->busy && depth <= FR_ORDER_DEPTH);
	if (depth >= FR_ORDER_DEPTH)
		return false;
again:
	was = changes(l);
	bits = fr_node_wanted(g, &w) | (mine != FR_NONE ? l->node.v[mine].values[1] : 0) |
	       (has_value(&w) ? fr_value_bit(w.value) : 0);
	for (uint32_t n = g->node; n != FR_NONE; n = l->node.v[n].next) {
		struct fr_lthread *u;
		uint64_t position;

		if (!fr_node_may_read(&l->node.v[n], &w, bits))
			continue;
		u = &l->thread[l->node.v[n].thread];
		if (u == t || u->asked[depth] == call)
			continue;
		if (u->busy || stuck(l, u)) {
			if (how == FR_GENTLY &&
			    fr_ahead_reader(l, t, u, n, g, &w, false) != UINT64_MAX)
				break;
			u->asked[depth] = call;
			continue;
		}
		position = fr_ahead_reader(l, t, u, n, g, &w, true);
		if (position == UINT64_MAX) {
			u->asked[depth] = call;
			continue;
		}
		if (fr_step_until(l, u, position, FR_GENTLY, depth + 1))
			went = true;
		else
			u->asked[depth] = call;
		if (changes(l) != was)
			goto again;
		if (how == FR_GENTLY && fr_ahead_reader(l, t, u, n, g, &w, false) != UINT64_MAX)
			break;
	}
	return went;
}
