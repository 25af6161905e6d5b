/*
 * The refuter: finds reasons why no reordering at all can reach a candidate. It is cheap and
 * certain: an excluded candidate is infeasible whatever part of the run a search considers.
 */
#ifndef FR_CAUSALITY_REFUTE_H
#define FR_CAUSALITY_REFUTE_H

#include "causality/causality.h"
#include "model/candidate.h"
#include "model/mask.h"

struct fr_refuter;
struct fr_refuter *fr_refuter_new(const struct fr_model *m, const struct fr_causality *c);
/*
 * The refuter works in steps. fr_refuter_quick applies the cheap tests. fr_refuter_required looks
 * for a target among the events that every reordering must contain. It examines the events from the
 * first target on or, with `far`, from 8192 events earlier; `far` is for candidates that would
 * otherwise go to the solver. Only the reads that matter under the mask (model/mask.h) require
 * events; fr_refuter_quick ignores data. Both return FR_WHY_NONE if they find no reason.
 */
enum fr_reason fr_refuter_quick(struct fr_refuter *r, const struct fr_candidate *what);
enum fr_reason fr_refuter_required(struct fr_refuter *r, const struct fr_mask *mask,
				   const struct fr_candidate *what, bool far);
/* Runs both steps, with `far`. */
enum fr_reason fr_refuter_ask(struct fr_refuter *r, const struct fr_mask *mask,
			      const struct fr_candidate *what);
void fr_refuter_free(struct fr_refuter *r);

/* Returns ORDERED or COMMON_LOCK if that excludes these two pending targets, else NONE. */
enum fr_reason fr_pair_infeasible(const struct fr_model *m, const struct fr_causality *c, fr_ev a,
				  fr_ev b);
/* Must one event have happened when the other is the next of its thread? For generators. */
bool fr_pair_ordered(const struct fr_model *m, const struct fr_causality *c, fr_ev a, fr_ev b);

#endif
