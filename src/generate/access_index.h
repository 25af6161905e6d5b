/*
 * Accesses by location and, within a location, by class. The accesses of a class have the same
 * thread, site, locks held, bytes and event kind. Each class is in recorded order, so that the
 * access nearest to any point of the run is found quickly.
 */
#ifndef FR_GENERATE_ACCESS_INDEX_H
#define FR_GENERATE_ACCESS_INDEX_H

#include "generate/region.h"

struct fr_access_class {
	uint32_t site, locks;
	uint16_t thread;
	uint8_t mask;
	bool write;
	uint32_t first, n; /* range of `at` */
};

struct fr_access_index {
	const struct fr_model *m;
	const struct fr_regions *r;
	uint32_t *class_first; /* first class of each location, and the end */
	FR_VEC(struct fr_access_class) class;
	uint32_t *at;	  /* indices into the list of locations, class by class */
	uint64_t cut_off; /* accesses without a class, because their location has too many */
};

/* Indexes the locations that matter (region.h). */
void fr_access_index_init(struct fr_access_index *x, const struct fr_regions *r);
void fr_access_index_free(struct fr_access_index *x);

static inline fr_ev fr_access_ev(const struct fr_access_index *x, uint32_t at)
{
	return x->m->cls[FR_C_LOC].list[at];
}
/* The span of an access to a location that matters. */
static inline uint32_t fr_access_span(const struct fr_access_index *x, uint32_t at)
{
	uint32_t loc = x->m->ev[fr_access_ev(x, at)].obj;

	fr_assert_slow(x->r->first[loc] != UINT32_MAX);
	return x->r->of[x->r->first[loc] + at - x->m->cls[FR_C_LOC].first[loc]];
}
/* The 0-based number of the first access of the class that is not before e; n if there is none. */
uint32_t fr_access_lower(const struct fr_access_index *x, const struct fr_access_class *c, fr_ev e);

#endif
