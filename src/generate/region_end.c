/* See region_end.h. */
#include "generate/region_end.h"
#include "format/event.h"

#define UNKNOWN 0 /* value of a map: not computed; other values are an event + 1 */
#define NEVER (UINT64_MAX)

/* Is an acquire by another thread ordered after everything that thread t does? */
static bool after_all(const struct fr_exchange *x, fr_ev acquire, uint32_t t)
{
	const struct fr_mthread *thread = &x->m->thread[t];

	fr_assert(thread->n && x->m->ev[acquire].thread != t);
	return fr_mhb_last(x->c, acquire, t) == thread->ev[thread->n - 1];
}

/* The last acquire of the object that an event of thread t may reach. */
static uint64_t last_acquire(const struct fr_exchange *x, uint32_t obj, uint32_t t)
{
	const struct fr_mclass *k = &x->m->cls[FR_C_FLAG];

	for (uint32_t i = k->first[obj + 1]; i-- > k->first[obj];) {
		const struct fr_mev *v = &x->m->ev[k->list[i]];

		if (v->op == FR_OP_ACQUIRE_ALL && v->thread != t && !after_all(x, k->list[i], t))
			return (uint64_t)k->list[i] + 1;
	}
	return NEVER;
}

/* The first release of the object that thread t may see after it began. */
static uint64_t first_release(const struct fr_exchange *x, uint32_t obj, uint32_t t)
{
	const struct fr_mclass *k = &x->m->cls[FR_C_FLAG];
	fr_ev begin = x->m->thread[t].ev[0];

	fr_assert(x->m->thread[t].n && obj < k->n);
	for (uint32_t i = k->first[obj]; i < k->first[obj + 1]; i++) {
		const struct fr_mev *v = &x->m->ev[k->list[i]];

		if (v->op == FR_OP_RELEASE_ALL && v->thread != t &&
		    !fr_mhb(x->c, k->list[i], begin))
			return (uint64_t)k->list[i] + 1;
	}
	return NEVER;
}

bool fr_exchanges(struct fr_exchange *x, fr_ev e)
{
	const struct fr_mev *v = &x->m->ev[e];
	bool gives = v->op == FR_OP_RELEASE_ALL;
	uint64_t *at;

	fr_assert(gives || v->op == FR_OP_ACQUIRE_ALL);
	if (!(x->m->cls[FR_C_FLAG].obj[v->obj].addr & FR_STREAM))
		return true;
	at = fr_map_put(gives ? &x->taken : &x->given, (uint64_t)v->thread << 32 | v->obj);
	if (*at == UNKNOWN)
		*at = gives ? last_acquire(x, v->obj, v->thread)
			    : first_release(x, v->obj, v->thread);
	if (*at == NEVER)
		return false;
	return gives ? e < *at - 1 : e > *at - 1;
}

void fr_exchange_free(struct fr_exchange *x)
{
	fr_map_free(&x->taken);
	fr_map_free(&x->given);
}
