/*
 * Accesses by location and, within it, by class: those of one thread, from one place in the
 * program, with the same locks held, of the same bytes and kind. Each class's accesses in recorded
 * order, so that the nearest one to any point of the run is found at once.
 */
#ifndef FR_GENERATE_ACCESS_INDEX_H
#define FR_GENERATE_ACCESS_INDEX_H

#include "generate/region.h"

struct fr_access_class {
	uint32_t site, locks;
	uint16_t thread;
	uint8_t mask;
	bool write;
	uint32_t first, n; /* in `at` */
};

struct fr_access_index {
	const struct fr_model *m;
	const struct fr_regions *r;
	uint32_t *class_first; /* of each location, and the end */
	FR_VEC(struct fr_access_class) class;
	uint32_t *at;	  /* places in the list of locations, class by class */
	uint64_t cut_off; /* accesses that are in no class: their location has too many */
};

/* Of the locations that matter (region.h). */
void fr_access_index_init(struct fr_access_index *x, const struct fr_regions *r);
void fr_access_index_free(struct fr_access_index *x);

static inline fr_ev fr_access_ev(const struct fr_access_index *x, uint32_t at)
{
	return x->m->cls[FR_C_LOC].list[at];
}
/* The span of an access of a location that matters. */
static inline uint32_t fr_access_span(const struct fr_access_index *x, uint32_t at)
{
	uint32_t loc = x->m->ev[fr_access_ev(x, at)].obj;

	return x->r->of[x->r->first[loc] + at - x->m->cls[FR_C_LOC].first[loc]];
}
/* The first of the class, counted from 0, that is not before e; n if there is none. */
uint32_t fr_access_lower(const struct fr_access_index *x, const struct fr_access_class *c, fr_ev e);

#endif
