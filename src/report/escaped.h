/* Copies a finding and escapes its texts, so that they can be printed (base/escape.h). */
#ifndef FR_REPORT_ESCAPED_H
#define FR_REPORT_ESCAPED_H

#include "findings/finding.h"

/* Returns an escaped copy of x, which belongs to `to` and lives until fr_findings_free(to). Texts
   that need no escape stay those of x. */
const struct fr_finding *fr_finding_escaped(const struct fr_finding *x, struct fr_findings *to);

#endif
