/* Locks that the program makes of atomic accesses: see own_lock.h. */
#include "generate/own_lock.h"

static bool is_update(const struct fr_mev *v)
{
	unsigned origin = v->origin & 3;

	return origin == FR_ORIGIN_RMW || origin == FR_ORIGIN_CAS;
}

static uint64_t value(const struct fr_mev *v)
{
	return v->value & fr_mask_bytes(v->mask);
}

/* The READ whose value an atomic update replaces with this WRITE; NULL: it is none. */
static const struct fr_mev *updated(const struct fr_model *m, fr_ev e)
{
	const struct fr_mev *v = &m->ev[e];

	if (!is_update(v) || !(v->flags & FR_F_PART) || v->op != FR_OP_WRITE)
		return NULL;
	while (e-- && m->ev[e].thread == v->thread) {
		if (m->ev[e].op == FR_OP_READ && m->ev[e].obj == v->obj && m->ev[e].mask == v->mask)
			return &m->ev[e];
		if (!(m->ev[e].flags & FR_F_PART))
			break;
	}
	return NULL;
}

enum fr_own_does fr_own_lock_does(const struct fr_own_lock *l, const struct fr_model *m, fr_ev e,
				  uint32_t owner)
{
	const struct fr_mev *v = &m->ev[e], *read;

	fr_assert(fr_is_access(v) && v->obj == l->loc && v->mask == l->mask);
	if (v->op == FR_OP_READ)
		return FR_OWN_READS;
	if (v->flags & (FR_F_NOVALUE | FR_F_RANGE))
		return FR_OWN_OTHER;
	read = updated(m, e);
	if (read && value(read) == value(v)) /* an exchange that found it taken */
		return FR_OWN_READS;
	if (value(v) == l->free)
		return owner == v->thread + 1u ? FR_OWN_FREES : owner ? FR_OWN_OTHER : FR_OWN_READS;
	return read && value(read) == l->free && !owner ? FR_OWN_TAKES : FR_OWN_OTHER;
}

/* Are these bytes such a lock from their first atomic update on? */
static bool is_lock(const struct fr_model *m, struct fr_own_lock *l)
{
	const struct fr_mclass *k = &m->cls[FR_C_LOC];
	uint32_t owner = 0, first = UINT32_MAX;
	bool known = false, others = false;

	for (uint32_t i = k->first[l->loc]; i < k->first[l->loc + 1]; i++) {
		const struct fr_mev *v = &m->ev[k->list[i]], *read;

		if (v->flags & FR_F_SYNTH || !(v->mask & l->mask))
			continue;
		if (!known) { /* until then it is initialised */
			read = v->mask == l->mask ? updated(m, k->list[i]) : NULL;
			if (!read)
				continue;
			l->free = value(read);
			known = true;
		}
		if (v->mask != l->mask)
			return false;
		switch (fr_own_lock_does(l, m, k->list[i], owner)) {
		case FR_OWN_TAKES:
			fr_assert(!owner);
			owner = v->thread + 1u;
			first = first == UINT32_MAX ? v->thread : first;
			others |= first != v->thread;
			break;
		case FR_OWN_FREES:
			fr_assert(owner == v->thread + 1u);
			owner = 0;
			break;
		case FR_OWN_OTHER:
			return false;
		default:
			break;
		}
	}
	return others;
}

void fr_own_locks_find(struct fr_own_locks *x, const struct fr_model *m)
{
	FR_VEC(uint64_t) key = {0};
	struct fr_map seen = {0};

	*x = (struct fr_own_locks){0};
	for (fr_ev e = 0; e < m->n; e++) {
		const struct fr_mev *v = &m->ev[e];
		uint64_t k = (uint64_t)v->obj << 8 | v->mask;

		if (fr_is_access(v) && v->op == FR_OP_WRITE && is_update(v) &&
		    !fr_map_get(&seen, k)) {
			*fr_map_put(&seen, k) = 1;
			fr_vec_push(&key, k);
		}
	}
	FR_VEC_FOREACH (k, &key) {
		struct fr_own_lock l = {.loc = (uint32_t)(*k >> 8), .mask = (uint8_t)*k};

		if (!is_lock(m, &l))
			continue;
		fr_vec_push(&x->lock, l);
		*fr_map_put(&x->index, *k) = x->lock.n;
	}
	fr_map_free(&seen);
	fr_vec_free(&key);
}

void fr_own_locks_free(struct fr_own_locks *x)
{
	fr_vec_free(&x->lock);
	fr_map_free(&x->index);
}

uint32_t fr_own_lock_of(const struct fr_own_locks *x, const struct fr_mev *v)
{
	const uint64_t *at;

	if (!fr_is_access(v) || !x->lock.n)
		return UINT32_MAX;
	at = fr_map_get(&x->index, (uint64_t)v->obj << 8 | v->mask);
	fr_assert(!at || (*at && *at <= x->lock.n));
	return at ? (uint32_t)*at - 1 : UINT32_MAX;
}
