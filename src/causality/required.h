/*
 * What must be in every reordering that has a candidate's targets pending, as far as it is found
 * out quickly.
 */
#ifndef FR_CAUSALITY_REQUIRED_H
#define FR_CAUSALITY_REQUIRED_H

#include "causality/causality.h"
#include "model/candidate.h"

struct fr_must;
struct fr_must *fr_must_new(const struct fr_model *m, const struct fr_causality *c);
/* Must a pending target itself have happened? Then nothing is feasible. `back`: so many events
   before the first target are looked at too. */
bool fr_must_hits(struct fr_must *x, const struct fr_candidate *what, uint32_t back);
void fr_must_free(struct fr_must *x);

#endif
