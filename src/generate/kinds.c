/*
 * The accesses to one location by kind: see kinds.h. The epoch distinguishes the lists and slots of
 * earlier locations, so starting another location costs nothing.
 *
 * Invariant: a kind is linked in its list iff it has a count.
 */
#include "generate/kinds.h"

void fr_kinds_clear(struct fr_kinds *x)
{
	x->epoch++;
	x->n = 0;
}

struct fr_kind_list *fr_kinds_list(struct fr_kinds *x, uint16_t number)
{
	for (unsigned i = number % FR_KIND_LISTS, n = 0; n < FR_KIND_LISTS;
	     i = (i + 1) % FR_KIND_LISTS, n++) {
		struct fr_kind_list *l = &x->list[i];

		if (l->epoch != x->epoch)
			*l = (struct fr_kind_list){x->epoch, number, .newest = FR_KIND_NONE};
		if (l->number == number)
			return l;
	}
	return NULL;
}

static void unlink_kind(struct fr_kinds *x, const struct fr_kind *k)
{
	struct fr_kind_list *l = &x->list[k->list];
	uint8_t i = (uint8_t)(k - x->v);

	fr_assert_slow(k->newer == FR_KIND_NONE ? l->newest == i : x->v[k->newer].older == i);
	if (k->newer != FR_KIND_NONE)
		x->v[k->newer].older = k->older;
	else
		l->newest = k->older;
	if (k->older != FR_KIND_NONE)
		x->v[k->older].newer = k->newer;
}

static void link_newest(struct fr_kinds *x, struct fr_kind *k)
{
	struct fr_kind_list *l = &x->list[k->list];
	uint8_t i = (uint8_t)(k - x->v);

	k->newer = FR_KIND_NONE;
	k->older = l->newest;
	if (l->newest != FR_KIND_NONE)
		x->v[l->newest].newer = i;
	l->newest = i;
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
	unlink_kind(x, &x->v[i]);
}

struct fr_kind *fr_kinds_find(struct fr_kinds *x, uint64_t key)
{
	uint8_t slot = (uint8_t)(key % FR_KIND_SLOTS), i;

	if (x->table[slot].epoch != x->epoch) {
		x->table[slot].epoch = x->epoch;
		x->table[slot].kind = FR_KIND_NONE;
	}
	i = x->table[slot].kind;
	while (i != FR_KIND_NONE && x->v[i].key != key)
		i = x->v[i].next;
	return i == FR_KIND_NONE ? NULL : &x->v[i];
}

struct fr_kind *fr_kinds_add(struct fr_kinds *x, uint64_t key, struct fr_kind_list *list,
			     const struct fr_mev *v)
{
	uint8_t slot = (uint8_t)(key % FR_KIND_SLOTS), i;

	fr_assert(x->table[slot].epoch == x->epoch && x->n <= FR_KINDS_MAX);
	fr_assert(list->epoch == x->epoch);
	x->forgot = x->n == FR_KINDS_MAX;
	if (x->forgot) {
		i = oldest(x);
		forget(x, i);
	} else {
		i = (uint8_t)x->n++;
	}
	x->v[i] = (struct fr_kind){.key = key,
				   .site = v->site,
				   .thread = v->thread,
				   .list = (uint8_t)(list - x->list),
				   .slot = slot,
				   .next = x->table[slot].kind};
	x->table[slot].kind = i;
	return &x->v[i];
}

void fr_kinds_seen(struct fr_kinds *x, struct fr_kind *k)
{
	if (k->count++)
		unlink_kind(x, k);
	link_newest(x, k);
}

void fr_kinds_wrote(struct fr_kind_list *list, struct fr_kind_access *a)
{
	a->wrote = list->wrote;
	a->write = list->write;
	if (a->what >> 8) {
		list->wrote = (uint8_t)(a->what >> 8);
		list->write = a->ev;
	}
}
