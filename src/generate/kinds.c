/*
 * The accesses to one location by kind: see kinds.h. The epoch distinguishes the lanes and slots of
 * earlier locations, so starting another location costs nothing.
 *
 * Invariant: a kind is linked in its thread's lane iff it has a count.
 */
#include "generate/kinds.h"

void fr_kinds_clear(struct fr_kinds *x)
{
	x->epoch++;
	x->n = 0;
}

uint8_t *fr_kinds_newest(struct fr_kinds *x, uint16_t thread)
{
	for (unsigned i = thread % FR_KIND_LANES, n = 0; n < FR_KIND_LANES;
	     i = (i + 1) % FR_KIND_LANES, n++) {
		if (x->lane[i].epoch != x->epoch) {
			x->lane[i].epoch = x->epoch;
			x->lane[i].thread = thread;
			x->lane[i].newest = FR_KIND_NONE;
			x->lane[i].wrote = 0;
		}
		if (x->lane[i].thread == thread)
			return &x->lane[i].newest;
	}
	return NULL;
}

static void unlink_kind(struct fr_kinds *x, uint8_t i, uint8_t *newest)
{
	struct fr_kind *k = &x->v[i];

	fr_assert_slow(k->newer == FR_KIND_NONE ? *newest == i : x->v[k->newer].older == i);
	if (k->newer != FR_KIND_NONE)
		x->v[k->newer].older = k->older;
	else
		*newest = k->older;
	if (k->older != FR_KIND_NONE)
		x->v[k->older].newer = k->newer;
}

static void link_newest(struct fr_kinds *x, uint8_t i, uint8_t *newest)
{
	x->v[i].newer = FR_KIND_NONE;
	x->v[i].older = *newest;
	if (*newest != FR_KIND_NONE)
		x->v[*newest].newer = i;
	*newest = i;
}

static uint8_t oldest(const struct fr_kinds *x)
{
	uint8_t r = 0;

	fr_assert(x->n);
	for (uint8_t i = 1; i < x->n; i++)
		if (x->v[i].last.ev < x->v[r].last.ev)
			r = i;
	return r;
}

static void forget(struct fr_kinds *x, uint8_t i)
{
	uint8_t *p = &x->table[x->v[i].slot].kind;

	fr_assert(x->v[i].count && x->table[x->v[i].slot].epoch == x->epoch);
	while (*p != i)
		p = &x->v[*p].next;
	*p = x->v[i].next;
	unlink_kind(x, i, fr_kinds_newest(x, x->v[i].thread));
}

uint8_t fr_kinds_find(struct fr_kinds *x, uint64_t key)
{
	uint8_t slot = (uint8_t)(key % FR_KIND_SLOTS), i;

	if (x->table[slot].epoch != x->epoch) {
		x->table[slot].epoch = x->epoch;
		x->table[slot].kind = FR_KIND_NONE;
	}
	i = x->table[slot].kind;
	while (i != FR_KIND_NONE && x->v[i].key != key)
		i = x->v[i].next;
	return i;
}

uint8_t fr_kinds_add(struct fr_kinds *x, uint64_t key, const struct fr_mev *v, struct fr_code code)
{
	uint8_t slot = (uint8_t)(key % FR_KIND_SLOTS), i;

	fr_assert(x->table[slot].epoch == x->epoch && x->n <= FR_KINDS_MAX);
	x->forgot = x->n == FR_KINDS_MAX;
	if (x->forgot) {
		i = oldest(x);
		forget(x, i);
	} else {
		i = (uint8_t)x->n++;
	}
	x->v[i] = (struct fr_kind){.key = key,
				   .site = v->site,
				   .code = code,
				   .thread = v->thread,
				   .slot = slot,
				   .next = x->table[slot].kind};
	x->table[slot].kind = i;
	return i;
}

void fr_kinds_seen(struct fr_kinds *x, uint8_t i, uint8_t *newest)
{
	fr_assert_slow(i < x->n && (*newest == FR_KIND_NONE || *newest < x->n));
	if (x->v[i].count++)
		unlink_kind(x, i, newest);
	link_newest(x, i, newest);
}

void fr_kinds_wrote(struct fr_kinds *x, const uint8_t *newest, struct fr_kind_access *a)
{
	size_t i =
	    (size_t)((const char *)newest - (const char *)&x->lane[0].newest) / sizeof(x->lane[0]);

	fr_assert(i < FR_KIND_LANES && x->lane[i].epoch == x->epoch);
	a->wrote = x->lane[i].wrote;
	a->write = x->lane[i].write;
	if (a->what >> 8) {
		x->lane[i].wrote = (uint8_t)(a->what >> 8);
		x->lane[i].write = a->ev;
	}
}
