/*
 * The recent accesses to one location: see recent_accesses.h. The epoch distinguishes the lists and
 * slots of earlier locations, so starting another location costs nothing.
 *
 * Invariant: a class is linked in its list iff it has a count.
 */
#include "generate/recent_accesses.h"

void fr_recent_clear(struct fr_recent *x)
{
	x->epoch++;
	fr_assert(x->epoch); /* 0 stands for no location */
	x->n = 0;
}

struct fr_recent_list *fr_recent_list(struct fr_recent *x, uint16_t number)
{
	for (unsigned i = number % FR_RECENT_LISTS, n = 0; n < FR_RECENT_LISTS;
	     i = (i + 1) % FR_RECENT_LISTS, n++) {
		struct fr_recent_list *l = &x->list[i];

		if (l->epoch != x->epoch)
			*l = (struct fr_recent_list){x->epoch, number, .newest = FR_RECENT_NONE};
		if (l->number == number)
			return l;
	}
	return NULL;
}

static void unlink_class(struct fr_recent *x, const struct fr_recent_class *k)
{
	struct fr_recent_list *l = &x->list[k->list];
	uint8_t i = (uint8_t)(k - x->v);

	fr_assert_slow(k->newer == FR_RECENT_NONE ? l->newest == i : x->v[k->newer].older == i);
	if (k->newer != FR_RECENT_NONE)
		x->v[k->newer].older = k->older;
	else
		l->newest = k->older;
	if (k->older != FR_RECENT_NONE)
		x->v[k->older].newer = k->newer;
}

static void link_newest(struct fr_recent *x, struct fr_recent_class *k)
{
	struct fr_recent_list *l = &x->list[k->list];
	uint8_t i = (uint8_t)(k - x->v);

	k->newer = FR_RECENT_NONE;
	k->older = l->newest;
	if (l->newest != FR_RECENT_NONE)
		x->v[l->newest].newer = i;
	l->newest = i;
}

static uint8_t oldest(const struct fr_recent *x)
{
	uint8_t r = 0;

	fr_assert(x->n);
	for (uint8_t i = 1; i < x->n; i++)
		if (x->v[i].last.ev < x->v[r].last.ev)
			r = i;
	return r;
}

static void forget(struct fr_recent *x, uint8_t i)
{
	uint8_t *p = &x->table[x->v[i].slot].class;

	fr_assert(x->v[i].count && x->table[x->v[i].slot].epoch == x->epoch);
	while (*p != i)
		p = &x->v[*p].next;
	*p = x->v[i].next;
	unlink_class(x, &x->v[i]);
}

struct fr_recent_class *fr_recent_add(struct fr_recent *x, uint64_t key,
				      struct fr_recent_list *list, const struct fr_mev *v)
{
	uint8_t slot = (uint8_t)(key % FR_RECENT_SLOTS), i;

	fr_assert(x->table[slot].epoch == x->epoch && x->n <= FR_RECENT_CLASSES);
	fr_assert(list->epoch == x->epoch);
	x->forgot = x->n == FR_RECENT_CLASSES;
	if (x->forgot) {
		i = oldest(x);
		forget(x, i);
	} else {
		i = (uint8_t)x->n++;
	}
	x->v[i] = (struct fr_recent_class){.key = key,
					   .site = v->site,
					   .thread = v->thread,
					   .list = (uint8_t)(list - x->list),
					   .slot = slot,
					   .other = FR_NO_EV,
					   .first = FR_NO_EV,
					   .next = x->table[slot].class};
	x->table[slot].class = i;
	return &x->v[i];
}

void fr_recent_make_newest(struct fr_recent *x, struct fr_recent_class *k)
{
	fr_assert_slow(x->list[k->list].epoch == x->epoch && k->count);
	if (k->count > 1)
		unlink_class(x, k);
	link_newest(x, k);
}

void fr_recent_wrote(struct fr_recent_list *list, struct fr_recent_access *a)
{
	a->wrote = list->wrote;
	a->write = list->write;
	if (a->what >> 8) {
		list->wrote = (uint8_t)(a->what >> 8);
		list->write = a->ev;
	}
}
