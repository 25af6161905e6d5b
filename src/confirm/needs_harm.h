/*
 * Findings that count only with harm (enum fr_needs): which of them are tried, which harm counts,
 * and which of them another finding explains.
 */
#ifndef FR_CONFIRM_NEEDS_HARM_H
#define FR_CONFIRM_NEEDS_HARM_H

#include "confirm/judge.h"
#include "findings/finding.h"

/* Interleavings of one kind of need that are tried: most orders are intended, and each costs
   time. */
#define FR_NEED_TRIES 16

/* Drops harm that does not count for a finding with this need. `failure`: of the recorded run. */
void fr_need_excuse(enum fr_needs needs, enum fr_harm failure, const struct fr_sites *sites,
		    const struct fr_execution *seen, struct fr_judgement *j);

/* Names the findings whose kind depends on the end of the program (fr_finding_name). The harm and
   the order of interleavings are final. */
void fr_need_name(struct fr_findings *f);

/* Folds each finding that needs a failure which another finding explains. The harm and the order of
   interleavings are final. */
void fr_need_explain(struct fr_findings *f);

#endif
