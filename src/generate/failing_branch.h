/*
 * Order violations that a branch decides: a read sees another value, which takes the side of a
 * branch that ends in a failing call (ConSeq). The pass marks such reads (format/site_table.h).
 */
#ifndef FR_GENERATE_FAILING_BRANCH_H
#define FR_GENERATE_FAILING_BRANCH_H

#include "generate/generate.h"

/* The groups have the need FR_NEEDS_BRANCH. */
void fr_failing_generate(const struct fr_model *m, const struct fr_causality *c,
			 struct fr_groups *ret);
/* Does the read take the failing side, according to a known test, if it sees this write (FR_NO_EV:
   the initial value)? fr_failing_generate then wants the pair. */
bool fr_failing_sure(const struct fr_model *m, fr_ev read, fr_ev write);

#endif
