/*
 * Joined locations: two locations that some thread uses together form a set, and another thread's
 * accesses to both in one call or function are one unit of work, though no region contains them.
 *
 *      audit():    lock(a); lock(b); sum = a.money + b.money; ...     joins the two locations
 *      transfer(): lock(a); a.money -= n; unlock(a);
 *                  lock(b); b.money += n; unlock(b);                  a unit of work
 *
 * A region (region.h) joins the locations that it accesses. A thread that reads two atomic
 * locations directly one after the other joins them too: `hits` and `lookups` of a report.
 *
 * A unit consists of two accesses of one thread to joined locations. Each is atomic or in a lock
 * region, and no lock is held at both. The second is below the first in one function, or one call
 * of a function contains both, in itself or in functions that it calls: one function for each, one
 * function twice, or two iterations of a loop. No event that ends regions is between them.
 *
 * The walk goes twice along the run: first fr_joined_note and fr_joined_read find the joined
 * locations, then fr_joined_see finds the units.
 */
#ifndef FR_GENERATE_JOINED_LOCATIONS_H
#define FR_GENERATE_JOINED_LOCATIONS_H

#include "generate/work_unit.h"

struct fr_joined {
	struct fr_regions *r;
	struct fr_fields *fields;
	struct fr_map pair;		 /* hash of two locations */
	struct fr_map location;		 /* locations that are in a pair */
	struct fr_map seen;		 /* hash of two sites and a thread -> occurrences */
	struct fr_joined_thread *thread; /* owned */
	void (*see)(void *arg, const struct fr_unit_pair *p);
	void *arg;
	uint64_t cut_off;
};

/* `see` and `arg` as in fr_units_find. */
void fr_joined_init(struct fr_joined *j, struct fr_regions *r, struct fr_fields *fields,
		    void (*see)(void *arg, const struct fr_unit_pair *p), void *arg);
void fr_joined_free(struct fr_joined *j);
/* Joins the two locations of a pair in a region. */
void fr_joined_note(struct fr_joined *j, const struct fr_unit_pair *p);
/* Gives the accesses to locations that matter, one after the other; first for finding the joined
   locations, then, after fr_joined_end, for finding the units. */
void fr_joined_read(struct fr_joined *j, const struct fr_unit_access *a);
void fr_joined_see(struct fr_joined *j, const struct fr_unit_access *a);
/* Ends a walk. */
void fr_joined_end(struct fr_joined *j, bool seen);

#endif
