/*
 * Units of work: the accesses of a thread to two or more locations, one after the other, in one
 * atomic region (region.h; neighbourhoods do not count). If two locations are in one set that the
 * user named, or are fields of one object, but are in no region together, their successive accesses
 * also form a unit. Such a unit contains the thread's accesses to that set or object up to
 * - an event that waits for another thread or wakes one, as for regions. Locks do not end a unit:
 *   that each location has a lock of its own, and none protects both, is the bug to find
 *   (jPredictor 3.4);
 * - an access above the last one in its function, or to a location that was already accessed from
 *   the same site: a loop, or another call;
 * - an access in another function, if the function of the last access has accessed two locations of
 *   the set: another operation. Functions that access only one each (set_head(), set_count())
 *   belong together.
 *
 * Locations that one region uses together form a set too: another thread's accesses to both in one
 * call form a unit (joined_locations.h).
 *
 * Here the first byte identifies a location: neighbours in a granule are two locations.
 *
 * Only accesses that other threads can notice count: all writes of a unit, and reads of locations
 * that it does not write. A pair consists of one such access to one location and a later one to
 * another location, in different steps without common bytes, with no other such access to the two
 * locations between them. Two such accesses of one step are a pair too: a loop over an array is one
 * step, and so is the copy of a struct. Nothing comes between them, but they may come between the
 * accesses of another pair.
 */
#ifndef FR_GENERATE_WORK_UNIT_H
#define FR_GENERATE_WORK_UNIT_H

#include "generate/object_field.h"
#include "generate/region.h"
#include "generate/named_set.h"

/* The accesses of one step to a location. */
struct fr_unit_access {
	fr_ev ev;      /* the first of them */
	uint32_t span; /* index into fr_regions.span */
	uint16_t what; /* mask of the bytes read | mask of the bytes written << 8 */
};

static inline uint64_t fr_unit_location(const struct fr_model *m, const struct fr_unit_access *a)
{
	unsigned mask = (a->what | a->what >> 8) & 0xff;

	fr_assert_slow(mask);
	return (uint64_t)m->ev[a->ev].obj << 3 | (unsigned)__builtin_ctz(mask | 0x100);
}

/* Is it one step, or do the two have bytes in common? Then conflicts are about those. */
bool fr_unit_steps_meet(const struct fr_model *m, fr_ev a, fr_ev b);

struct fr_unit_pair {
	uint64_t location[2]; /* fr_unit_location of a and of b */
	struct fr_unit_access a, b;
	enum fr_region region;
	bool loose; /* FR_REGION_SPLIT because of calls alone (FR_SPLIT_CALLS) */
	bool joins; /* FR_REGION_JOINED: joins the locations itself (joined_locations.h) */
};

/* Are the two accesses parts of one step? */
static inline bool fr_unit_is_step(const struct fr_model *m, const struct fr_unit_pair *p)
{
	return fr_head(m, p->a.ev) == fr_head(m, p->b.ev);
}

/* Walks along the run and calls `see` for the pairs of each unit, in the order in which units end.
   A unit like many earlier ones is examined only now and then. Returns the number of times that a
   limit was reached. If `fields` is NULL, neither the fields of one object nor joined locations
   belong together. */
uint64_t fr_units_find(struct fr_regions *r, const struct fr_sets *sets, struct fr_fields *fields,
		       void (*see)(void *arg, const struct fr_unit_pair *p), void *arg);

#endif
