/*
 * Which findings of two runs are the same bug.
 *
 * Same program:  same kind, and events of the same event kinds at the same sites, in any order.
 * Another build: same kind, same subject, and the same accesses in the same functions, on any
 *                lines; or, for a failure, a finding that leads to the same failure.
 * Events that vary (fr_role_varies) do not count.
 */
#ifndef FR_FINDINGS_SAME_BUG_H
#define FR_FINDINGS_SAME_BUG_H

#include "findings/finding.h"

/* Returns a number below 2^63 that is the same for the same bug in two runs of a program. */
uint64_t fr_finding_bug(const struct fr_finding *x);
/* Returns the finding of f, a run of another build, that is the bug x; NULL: there is none. */
const struct fr_finding *fr_findings_same_bug(const struct fr_findings *f,
					      const struct fr_finding *x);

#endif
