/*
 * The sync tier looks for a set of events that contains everything a feasible reordering needs and
 * no target. Taken in recorded order, the set is the schedule. It may find none. With a mask, reads
 * that do not matter need nothing (model/mask.h); the schedule then belongs to the tier sliced.
 */
#ifndef FR_ORACLE_SYNC_TIER_H
#define FR_ORACLE_SYNC_TIER_H

#include "causality/causality.h"
#include "oracle/oracle.h"

enum fr_sync_answer {
	FR_SYNC_YES,
	FR_SYNC_NO,   /* every closed set in recorded order contains a target */
	FR_SYNC_LONG, /* the set would be too large */
};

struct fr_sync_tier;
struct fr_sync_tier *fr_sync_new(const struct fr_model *m, const struct fr_causality *c);
/* Fills *ret if the answer is FR_SYNC_YES. */
enum fr_sync_answer fr_sync_ask(struct fr_sync_tier *s, const struct fr_mask *mask,
				const struct fr_candidate *what, struct fr_schedule *ret);
void fr_sync_free(struct fr_sync_tier *s);

#endif
