/*
 * Attempts to take a lock that were refused, in a recorded run that failed: the thread may have
 * done without the lock because another one held it. The candidate is the recorded order of the
 * two, so it is feasible; `confirm` asks for the other order (confirm/cause_failure.h).
 */
#ifndef FR_GENERATE_REFUSED_LOCK_H
#define FR_GENERATE_REFUSED_LOCK_H

#include "generate/generate.h"

void fr_refused_generate(const struct fr_model *m, const struct fr_causality *c,
			 struct fr_groups *ret);

#endif
