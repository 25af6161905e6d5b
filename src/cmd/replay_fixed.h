/* `forerun replay --expect fixed`: is a bug still there after the program was changed? */
#ifndef FR_CMD_REPLAY_FIXED_H
#define FR_CMD_REPLAY_FIXED_H

#include "findings/finding.h"
#include "trace/run_info.h"

/* x is a finding of f, for a recorded run whose program has been rebuilt. limit: seconds for one
   re-execution, 0 = the default. Prints and returns FR_EXIT_OK (fixed), FR_EXIT_FOUND (still there)
   or FR_EXIT_FAILED (cannot tell, and why). */
int fr_fixed(const char *dir, const struct fr_run *run, const struct fr_findings *f,
	     const struct fr_finding *x, double limit);
/* `forerun say-also-to FILE COMMAND ...`: the command, with its messages also in the file
   (fr_say_also_to). */
#define FR_SAY_ALSO_TO "say-also-to"

#endif
