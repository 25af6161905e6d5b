/*
 * Two events that could meet, by the places in the program that they come from: of each two places
 * the best few, near each other and early in the run, of different threads and locks.
 */
#ifndef FR_ANOMALY_MEETING_H
#define FR_ANOMALY_MEETING_H

#include "anomaly/anomaly.h"

struct fr_meeting {
	fr_ev a, b;	  /* a < b, not of one step */
	uint32_t context; /* hash of threads and locks */
};
struct fr_meeting_pair {
	uint32_t site[2];
	uint8_t n;
	uint8_t worst; /* of inst */
	bool distinct; /* no context is there twice */
	struct fr_meeting inst[FR_INSTANCES];
	uint64_t seen;
};
struct fr_meetings {
	const struct fr_model *m;
	struct fr_map index; /* two sites: their pair + 1 */
	FR_VEC(struct fr_meeting_pair) pair;
};

/* Would it be kept? If not, it is counted. */
bool fr_meetings_wants(struct fr_meetings *x, const struct fr_meeting *w);
/* False: there are too many pairs of places already. */
bool fr_meetings_add(struct fr_meetings *x, const struct fr_meeting *w);
/* Makes groups of two pending events; "first" and "second". */
void fr_meetings_write(struct fr_meetings *x, struct fr_groups *ret);
void fr_meetings_free(struct fr_meetings *x);

#endif
