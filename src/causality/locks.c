/*
 * The locks that a thread holds at an event, and the end of a critical section. Both are computed
 * on demand, from the thread's nearest snapshot and the lock's list of events.
 */
#include "causality/causality_internal.h"
#include <string.h>

#define INLINE_HELD 128

uint32_t fr_locks_held_at(const struct fr_causality *c, uint32_t thread, uint32_t pos,
			  struct fr_held *ret, uint32_t cap)
{
	const struct fr_model *m = c->m;
	const struct fr_mthread *t = &m->thread[thread];
	const struct fr_held_snapshot *k = &c->thread[thread].held;
	uint32_t snapshot = (pos - (pos == t->n && pos)) / FR_HELD_STEP;
	uint32_t n = t->n ? k->start.v[snapshot + 1] - k->start.v[snapshot] : 0;
	fr_ev room[INLINE_HELD], *held = room;

	fr_assert(pos <= t->n && (!t->n || snapshot + 1 < k->start.n));
	if (n + FR_HELD_STEP > INLINE_HELD)
		held = fr_xmalloc((n + FR_HELD_STEP) * sizeof(*held));
	if (n)
		memcpy(held, k->acquire.v + k->start.v[snapshot], n * sizeof(*held));
	for (uint32_t i = snapshot * FR_HELD_STEP; i < pos; i++) {
		const struct fr_mev *v = &m->ev[t->ev[i]];
		uint32_t at;

		if (fr_is_acquire(v->op)) {
			held[n++] = t->ev[i];
		} else if (fr_is_release(v->op)) {
			at = fr_held_find(m, held, n, v);
			if (at < n)
				memmove(held + at, held + at + 1, (--n - at) * sizeof(*held));
		}
	}
	fr_assert_slow(!n || m->ev[held[n - 1]].thread == thread);
	for (uint32_t i = 0; i < n && i < cap; i++)
		ret[i] = (struct fr_held){.lock = m->ev[held[i]].obj,
					  .acquire = held[i],
					  .shared = m->ev[held[i]].op == FR_OP_ACQUIRE_SHARED};
	if (held != room)
		free(held);
	return n;
}

uint32_t fr_locks_held(const struct fr_causality *c, fr_ev e, struct fr_held *ret, uint32_t cap)
{
	const struct fr_mthread *t = &c->m->thread[c->m->ev[e].thread];

	return fr_locks_held_at(c, c->m->ev[e].thread, fr_list_lower(t->ev, t->n, e), ret, cap);
}

fr_ev fr_release_of(const struct fr_causality *c, fr_ev acquire)
{
	const struct fr_model *m = c->m;
	const struct fr_mclass *k = &m->cls[FR_C_LOCK];
	const struct fr_mev *a = &m->ev[acquire];
	uint32_t first = k->first[a->obj], end = k->first[a->obj + 1], depth = 0;
	unsigned release = a->op == FR_OP_ACQUIRE ? FR_OP_RELEASE : FR_OP_RELEASE_SHARED;

	fr_assert(fr_is_acquire(a->op));
	for (uint32_t i = first + fr_list_lower(k->list + first, end - first, acquire); i < end;
	     i++) {
		const struct fr_mev *v = &m->ev[k->list[i]];

		if (v->thread != a->thread)
			continue;
		if (v->op == a->op)
			depth++;
		else if (v->op == release && !--depth)
			return k->list[i];
	}
	return FR_NO_EV;
}
