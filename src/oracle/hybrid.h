/*
 * The hybrid tier: PECAN's model of a run (section 4.2): program order, creation and joining,
 * locks, conditions, semaphores, barriers, once, and no data. A yes is a guess: the reordering
 * keeps all of these, and whether the program goes that way when its reads find something else is
 * for a re-execution to show.
 */
#ifndef FR_ORACLE_HYBRID_H
#define FR_ORACLE_HYBRID_H

#include "causality/causality.h"
#include "oracle/oracle.h"

enum fr_hybrid_answer {
	FR_HYBRID_YES,
	FR_HYBRID_NO,	/* moving events does not bring it about */
	FR_HYBRID_LONG, /* too much would have to be moved */
};

struct fr_hybrid;
struct fr_hybrid *fr_hybrid_new(const struct fr_model *m, const struct fr_causality *c);
/* Fills ret on yes. `ret_events`: how many were looked at. */
enum fr_hybrid_answer fr_hybrid_ask(struct fr_hybrid *h, const struct fr_candidate *what, bool lean,
				    struct fr_schedule *ret, uint32_t *ret_events);
void fr_hybrid_free(struct fr_hybrid *h);

#endif
