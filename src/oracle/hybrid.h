/*
 * The hybrid tier uses PECAN's model of a run (section 4.2): program order, creation and joining,
 * locks, conditions, semaphores, barriers and once, but no data. Its schedules are guesses. They
 * respect all of these, but the program may take other branches when its reads see other values.
 * Only a re-execution can tell.
 */
#ifndef FR_ORACLE_HYBRID_H
#define FR_ORACLE_HYBRID_H

#include "causality/causality.h"
#include "oracle/oracle.h"

enum fr_hybrid_answer {
	FR_HYBRID_YES,
	FR_HYBRID_NO,	/* moving events does not reach the candidate */
	FR_HYBRID_LONG, /* too many events would have to move */
};

struct fr_hybrid;
struct fr_hybrid *fr_hybrid_new(const struct fr_model *m, const struct fr_causality *c);
/* Fills *ret if the answer is FR_HYBRID_YES. *ret_events is the number of events examined. `lean`:
   leave out the events that the candidate does not need. */
enum fr_hybrid_answer fr_hybrid_ask(struct fr_hybrid *h, const struct fr_candidate *what, bool lean,
				    struct fr_schedule *ret, uint32_t *ret_events);
void fr_hybrid_free(struct fr_hybrid *h);

#endif
