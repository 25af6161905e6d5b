/*
 * The matches of a pattern, grouped by the sites of their events. Each group keeps the few matches
 * whose events are nearest to each other in the run. fr_matches_write makes the groups.
 */
#ifndef FR_GENERATE_PATTERN_FORM_H
#define FR_GENERATE_PATTERN_FORM_H

#include "generate/pattern.h"

struct fr_match {
	fr_ev ev[FR_PATTERN_EVENTS]; /* in the order of the pattern */
	fr_ev span;		     /* distance from the first to the last event in the run */
};
struct fr_match_group {
	uint64_t key;
	uint32_t n;
	struct fr_match match[FR_INSTANCES];
	uint64_t seen;
};
struct fr_matches {
	const struct fr_pattern *p;
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_map index; /* key >> 1 -> group + 1 */
	FR_VEC(struct fr_match_group) group;
	uint64_t refuted, cut_off;
};

/* Would fr_matches_add keep it? If not, counts it. */
bool fr_matches_want(struct fr_matches *x, const struct fr_match *w);
void fr_matches_add(struct fr_matches *x, const struct fr_match *w);
/* Makes a group, with all its forms of candidate, for each combination of sites. */
void fr_matches_write(struct fr_matches *x, struct fr_groups *ret);
void fr_matches_free(struct fr_matches *x);

#endif
