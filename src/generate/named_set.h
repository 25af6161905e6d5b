/*
 * Atomic sets that the user names (--atomic-set): which locations are in which sets.
 *
 * Names are those that reports print: the variable at the site (`head`, `q.count`, `p->x`), or else
 * the name of the location (a symbol, its allocation, its name in an imported trace); or a glob for
 * such names. A location is in a set if the name of any of its accesses matches. All locations of a
 * set belong together, in whatever objects they are.
 */
#ifndef FR_GENERATE_NAMED_SET_H
#define FR_GENERATE_NAMED_SET_H

#include "generate/generate.h"

#define FR_SETS_MAX 32
_Static_assert(FR_SETS_MAX <= 32, "a mask of sets");

struct fr_sets {
	uint32_t n;
	struct fr_map of;	  /* fr_unit_location -> mask of the sets */
	FR_VEC(char *) unmatched; /* names that match no location; owned */
};

void fr_sets_find(struct fr_sets *s, const struct fr_model *m, const struct fr_generate_opt *opt);
void fr_sets_free(struct fr_sets *s);
static inline uint32_t fr_sets_of(const struct fr_sets *s, uint64_t location)
{
	const uint64_t *at = s->n ? fr_map_get(&s->of, location) : NULL;

	return at ? (uint32_t)*at : 0;
}

#endif
