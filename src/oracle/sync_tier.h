/*
 * The sync tier: a set of events that is closed under everything that a feasible reordering needs,
 * in recorded order, with no target in it. Says yes with a schedule, or that it cannot.
 */
#ifndef FR_ORACLE_SYNC_TIER_H
#define FR_ORACLE_SYNC_TIER_H

#include "causality/causality.h"
#include "oracle/oracle.h"

enum fr_sync_answer {
	FR_SYNC_YES,
	FR_SYNC_NO,   /* no closed set in recorded order is without a target */
	FR_SYNC_LONG, /* the set would be too large */
};

struct fr_sync_tier;
struct fr_sync_tier *fr_sync_new(const struct fr_model *m, const struct fr_causality *c);
/* Fills ret on yes. */
enum fr_sync_answer fr_sync_ask(struct fr_sync_tier *s, const struct fr_candidate *what,
				struct fr_schedule *ret);
void fr_sync_free(struct fr_sync_tier *s);

#endif
