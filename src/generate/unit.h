/*
 * Units of work: what a thread does to two locations, one after the other, in one region
 * (region.h; neighbourhoods are none); or, if both are in a set that the user named and in no
 * region together, in a row; or, if they are fields of one object, likewise. Of the thread's
 * accesses of that set or object a unit has those that come after each other up to
 *  - what waits for another thread or wakes one, as for regions; locks do not end it: that each
 *    location has its own, and nothing keeps them together, is what to look for (jPredictor 3.4);
 *  - one that is above the last in its function, or of a location that was accessed from the same
 *    place: a loop, or another call;
 *  - one in another function, if that of the last has accessed two of the set: another operation.
 *    Functions that access but one each (set_head(), set_count()) are together.
 *
 * Locations are told apart by their first byte here: neighbours in a granule are two.
 *
 * Of a unit's accesses those count that show to others what it does: all its writes, and reads of
 * what it does not write. A pair is one of those of one location and one of those of another after
 * it, another step, the two steps with no bytes in common, and with no other that counts of the two
 * locations between.
 */
#ifndef FR_GENERATE_UNIT_H
#define FR_GENERATE_UNIT_H

#include "generate/object.h"
#include "generate/region.h"
#include "generate/set.h"

/* One step's accesses of a location. */
struct fr_unit_access {
	fr_ev ev;      /* the first of them */
	uint32_t span; /* of fr_regions */
	uint16_t what; /* mask of what is read; of what is written << 8 */
};

static inline uint64_t fr_unit_place(const struct fr_model *m, const struct fr_unit_access *a)
{
	unsigned mask = (a->what | a->what >> 8) & 0xff;

	return (uint64_t)m->ev[a->ev].obj << 3 | (unsigned)__builtin_ctz(mask | 0x100);
}

struct fr_unit_pair {
	uint64_t place[2]; /* of a, of b */
	struct fr_unit_access a, b;
	enum fr_region region;
	bool loose; /* split, and that by calls alone */
};

/*
 * Goes through the run, and calls `see` for the pairs of each unit, in the order in which units
 * end. Units that are as many before are looked at now and then only. Returns how often a limit
 * made it leave something out. fields: NULL: of one object they do not belong together.
 */
uint64_t fr_units_find(struct fr_regions *r, const struct fr_sets *sets, struct fr_fields *fields,
		       void (*see)(void *arg, const struct fr_unit_pair *p), void *arg);

#endif
