/* A finding whose texts may be printed: control characters in names are escaped (base/escape.h). */
#ifndef FR_REPORT_ESCAPED_H
#define FR_REPORT_ESCAPED_H

#include "findings/finding.h"

/* A copy of x that belongs to `to`, as do its texts, and lives until fr_findings_free(to). */
const struct fr_finding *fr_finding_escaped(const struct fr_finding *x, struct fr_findings *to);

#endif
