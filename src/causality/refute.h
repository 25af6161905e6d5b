/*
 * The refuter: reasons for which no reordering at all can be what a candidate asks for. Cheap, and
 * certain: what it refutes is infeasible whatever part of the run is looked at.
 */
#ifndef FR_CAUSALITY_REFUTE_H
#define FR_CAUSALITY_REFUTE_H

#include "causality/causality.h"
#include "model/candidate.h"

struct fr_refuter;
struct fr_refuter *fr_refuter_new(const struct fr_model *m, const struct fr_causality *c);
/* In steps: what is quickly found; then what must have happened, from the first target on or, for
   candidates that would be given to the solver otherwise, from far back in the run. FR_WHY_NONE: no
   reason found. */
enum fr_reason fr_refuter_quick(struct fr_refuter *r, const struct fr_candidate *what);
enum fr_reason fr_refuter_must(struct fr_refuter *r, const struct fr_candidate *what, bool far);
/* All of it at once. */
enum fr_reason fr_refuter_ask(struct fr_refuter *r, const struct fr_candidate *what);
void fr_refuter_free(struct fr_refuter *r);

/* ORDERED or COMMON_LOCK, of two targets. */
enum fr_reason fr_refute_pair(const struct fr_model *m, const struct fr_causality *c, fr_ev a,
			      fr_ev b);
/* Must one have happened when the other is the next of its thread? For generators. */
bool fr_refute_ordered(const struct fr_model *m, const struct fr_causality *c, fr_ev a, fr_ev b);

#endif
