/*
 * Matches of a pattern, by the places in the program that their events come from: of each the best
 * few, those whose events are near each other in the run. Then groups of them.
 */
#ifndef FR_GENERATE_MATCHES_H
#define FR_GENERATE_MATCHES_H

#include "generate/pattern.h"

struct fr_match {
	fr_ev ev[FR_PATTERN_EVENTS]; /* in the order of the pattern */
	fr_ev span;		     /* from the first in the run to the last */
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
	struct fr_map index; /* key >> 1: group + 1 */
	FR_VEC(struct fr_match_group) group;
	uint64_t refuted, cut_off;
};

/* Would it be kept? If not, it is counted. */
bool fr_matches_want(struct fr_matches *x, const struct fr_match *w);
void fr_matches_add(struct fr_matches *x, const struct fr_match *w);
void fr_matches_write(struct fr_matches *x, struct fr_groups *ret);
void fr_matches_free(struct fr_matches *x);

#endif
