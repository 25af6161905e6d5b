/*
 * The relaxed tier: the fewest reads that must be allowed to return another value, so that a
 * candidate becomes feasible in a segment (ExceptioNULL section 6). Reads that do not matter under
 * the mask may return anything, and are not counted.
 *
 * Use: open a segment, ask about candidates, close it. oracle.c is the only caller.
 */
#ifndef FR_ORACLE_ORDER_RELAX_H
#define FR_ORACLE_ORDER_RELAX_H

#include "oracle/oracle.h"

struct fr_relax;
struct fr_relax *fr_relax_open(const struct fr_model *m, const struct fr_mask *mask, fr_ev cut,
			       fr_ev end);
void fr_relax_close(struct fr_relax *r);
/* Number of questions to the order solver so far. */
uint64_t fr_relax_calls(const struct fr_relax *r);
/* Makes exactly these READs return their recorded values in all answers from now on. */
void fr_relax_fix(struct fr_relax *r, const fr_ev *read, uint32_t n);
/* Looks for a schedule in which at most `max` READs differ, fewest first. FR_FEASIBLE: stores these
   READs, ascending, and their number. FR_INFEASIBLE: `max` READs do not suffice in this segment. */
enum fr_answer fr_relax_ask(struct fr_relax *r, const struct fr_candidate *c, uint32_t max,
			    double seconds, fr_ev ret_read[FR_RELAX_MAX], uint32_t *ret_n,
			    struct fr_schedule *ret);

#endif
