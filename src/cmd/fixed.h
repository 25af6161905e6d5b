/* `forerun replay --expect fixed`: is a finding still there after the program was changed? */
#ifndef FR_CMD_FIXED_H
#define FR_CMD_FIXED_H

#include "findings/finding.h"
#include "trace/run_info.h"

/*
 * x: a finding, of f, of a recorded run; its program has been built anew. Says what it finds out;
 * returns FR_EXIT_OK: fixed, FR_EXIT_FOUND: still there, FR_EXIT_FAILED: cannot tell, and why.
 */
int fr_fixed(const char *dir, const struct fr_run *run, const struct fr_findings *f,
	     const struct fr_finding *x, const char *limit);

#endif
