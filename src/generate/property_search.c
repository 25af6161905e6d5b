/*
 * The search for the orders of an instance's events that violate a property: see property_hunt.h.
 *
 * Search:      depth first, for each assignment of the thread names of the pattern to threads. A
 *              step takes an event of the instance that the automaton can read on the path to a
 *              violation. In a thread already in the match, take its next event, or a later one if
 *              skipping disturbs nothing. In another thread, take any event, near ones first; from
 *              the first one if the property is about the whole run.
 * Recorded:    the order of the recorded run is tried first.
 * Complete:    every violation is found whose match has at most FR_EDGES events, unless a limit
 *              stops the search (cut_off). The match may contain events that change nothing.
 * Regions, ||: an event takes a mark of the pattern, once. The event that closes a region is the
 *              one that belongs to the event that opened it, by nesting.
 */
#include "generate/property_hunt.h"
#include "base/assert.h"
#include <string.h>

#define STARTS 8 /* events tried in a thread that has none in the match */

/* May the item take the mark now? */
static bool may_mark(const struct fr_hunt *h, uint32_t item, uint32_t mark)
{
	const struct fr_mark_set *m = &h->a->mark.v[mark];

	if (!mark)
		return true;
	if (mark >= FR_HUNT_MARKS || h->owner[mark])
		return false;
	if (m->opens != FR_NO_NAME && !h->item.v[item].partner)
		return false;
	if (m->closes == FR_NO_NAME)
		return true;
	for (uint32_t k = 1; k < h->a->mark.n && k < FR_HUNT_MARKS; k++)
		if (h->owner[k] && h->a->mark.v[k].opens == m->closes)
			return h->item.v[h->owner[k] - 1].partner == item + 1;
	return false;
}

/* Can the match be extended by the item, as far as must-happen-before tells? */
static bool can_follow(const struct fr_hunt *h, uint32_t item)
{
	for (uint32_t i = 0; i < h->n; i++)
		if (fr_mhb(h->c, h->item.v[item].ev, h->item.v[h->at[i]].ev))
			return false;
	return true;
}

static void search(struct fr_hunt *h);

/* Takes the item at position k of a lane into the match, with each mark that it may have. */
static void take(struct fr_hunt *h, struct fr_hunt_lane *l, uint32_t k, bool changing)
{
	uint32_t item = l->item.v[k], old = l->next, from = l->from;

	h->limited |= h->n == FR_HUNT_MATCH;
	if (h->n == FR_HUNT_MATCH || !can_follow(h, item))
		return;
	for (uint32_t mark = 0; mark < h->a->mark.n; mark++) {
		uint32_t letter = fr_hunt_letter(h, item, mark), s = h->state[h->n], to;

		if (letter == FR_NO_NAME || !may_mark(h, item, mark))
			continue;
		to = fr_dfa_step(&h->a->dfa, s, letter);
		if (!h->a->live[to] || (to != s) != changing || h->nodes >= FR_HUNT_NODES)
			continue;
		h->nodes++;
		h->at[h->n] = item;
		h->letter[h->n] = letter;
		h->state[++h->n] = to;
		if (!l->next)
			l->from = k;
		l->next = k + 1;
		if (mark < FR_HUNT_MARKS)
			h->owner[mark] = mark ? item + 1 : 0;
		if (h->a->bad[to] || (h->a->ends_badly[to] && h->n == h->item.n))
			fr_hunt_add_match(h);
		if (!h->a->bad[to])
			search(h);
		fr_assert(h->n && h->at[h->n - 1] == item && l->next == k + 1);
		if (mark < FR_HUNT_MARKS)
			h->owner[mark] = 0;
		l->next = old;
		l->from = from;
		h->n--;
	}
}

/* Would the automaton stay in its state if the item were not in the match? */
static bool can_skip(const struct fr_hunt *h, uint32_t item)
{
	uint32_t s = h->state[h->n];

	return fr_dfa_step(&h->a->dfa, s, fr_hunt_letter(h, item, 0)) == s;
}

/* Tries the items of a lane that has items in the match, or of which the first one counts. */
static void try_next(struct fr_hunt *h, struct fr_hunt_lane *l, bool changing)
{
	for (uint32_t k = l->next; k < l->item.n; k++) {
		take(h, l, k, changing);
		if (!can_skip(h, l->item.v[k]))
			return;
	}
}

/* Tries items of a lane that has none in the match, those near the last of the match first. */
static void try_anywhere(struct fr_hunt *h, struct fr_hunt_lane *l, bool changing)
{
	fr_ev near = h->n ? h->item.v[h->at[h->n - 1]].ev : 0;
	uint32_t n = (uint32_t)l->item.n;
	uint32_t at = (uint32_t)fr_bisect(n, i, h->item.v[l->item.v[i]].ev < near);

	if (!h->n) {
		for (uint32_t k = 0; k < n; k++)
			take(h, l, k, changing);
		return;
	}
	for (uint32_t d = 0; d < n && d < STARTS; d++) {
		if (at + d < n)
			take(h, l, at + d, changing);
		if (d < at)
			take(h, l, at - 1 - d, changing);
	}
	if (n > 2 * STARTS) {
		h->limited = true;
		h->ret->cut_off++;
	}
}

static void search(struct fr_hunt *h)
{
	for (unsigned pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < h->lanes && h->nodes < FR_HUNT_NODES; i++) {
			struct fr_hunt_lane *l = &h->lane[i];

			if (l->next || h->a->anchored)
				try_next(h, l, !pass);
			else
				try_anywhere(h, l, !pass);
		}
}

/* Follows the recorded order from an item on. */
static void try_recorded(struct fr_hunt *h, uint32_t from)
{
	uint32_t k = from;

	fr_assert(from < h->item.n);
	h->n = 0;
	for (; k < h->item.n && h->n < FR_HUNT_MATCH; k++) {
		struct fr_hunt_lane *l = &h->lane[h->item.v[k].thread];
		uint32_t mark = (uint32_t)h->a->mark.n, letter = 0, to = 0;
		uint32_t position = (uint32_t)fr_bisect(l->item.n, i, l->item.v[i] < k);

		while (mark--) {
			letter = fr_hunt_letter(h, k, mark);
			if (letter == FR_NO_NAME || !may_mark(h, k, mark))
				continue;
			to = fr_dfa_step(&h->a->dfa, h->state[h->n], letter);
			if (h->a->live[to])
				break;
		}
		if (mark == UINT32_MAX || !h->a->live[to])
			break;
		h->at[h->n] = k;
		h->letter[h->n] = letter;
		h->state[++h->n] = to;
		if (!l->next)
			l->from = position;
		l->next = position + 1;
		if (mark && mark < FR_HUNT_MARKS)
			h->owner[mark] = k + 1;
		if (h->a->bad[to] || (h->a->ends_badly[to] && h->n == h->item.n)) {
			fr_hunt_add_match(h);
			break;
		}
	}
	h->n = 0;
	memset(h->owner, 0, sizeof(h->owner));
	for (uint32_t i = 0; i < h->lanes; i++)
		h->lane[i].next = h->lane[i].from = 0;
}

static void with_assignment(struct fr_hunt *h)
{
	h->state[0] = h->a->dfa.start;
	for (uint32_t i = 0; i < h->item.n && (!i || !h->a->anchored); i++)
		try_recorded(h, i);
	if (h->lanes > 1)
		search(h);
	fr_assert(!h->n);
}

/* Assigns the thread names from `name` on to lanes, in every way. A name may also stand for a
   thread without events of the instance; `outside` counts those that are left. */
static void assign(struct fr_hunt *h, uint32_t name, uint32_t outside)
{
	fr_assert(name <= h->kind->property->thread.n);
	if (name == h->kind->property->thread.n) {
		with_assignment(h);
		return;
	}
	for (uint32_t i = 0; i < h->lanes; i++)
		if (h->lane[i].name == FR_NO_NAME) {
			h->lane[i].name = name;
			assign(h, name + 1, outside);
			h->lane[i].name = FR_NO_NAME;
		}
	if (outside)
		assign(h, name + 1, outside - 1);
}

void fr_hunt_search(struct fr_hunt *h)
{
	assign(h, 0, h->m->nthreads - h->lanes);
}
