/*
 * Import of a textual trace in the STD format of the RAPID tools into a run folder.
 *
 * A line is `thread|op(operand)|location`; ops are r w (a variable), acq rel (a lock), fork join (a
 * thread), begin end (a region that should be atomic; their operand is not needed). The file's
 * order is the order of the run. What the folder holds is an ordinary trace: the hook index of an
 * event is its line, and so is its stamp; accesses carry no values.
 */
#ifndef FR_IMPORT_STD_H
#define FR_IMPORT_STD_H

#include "base/err.h"
#include <stdint.h>

/* Addresses of imported objects: number i of its sort is at the base + 8 * i. Threads: their id. */
#define FR_STD_VARIABLES (UINT64_C(1) << 44)
#define FR_STD_LOCKS (UINT64_C(2) << 44)

struct fr_std_stats {
	uint64_t lines, events, threads, locks, variables, locations;
	/* acquisitions of a lock that its thread held already, and their releases */
	uint64_t inner;
	uint64_t held, held_since; /* locks that were not released, and the first line of these */
	uint64_t open;		   /* regions that did not end */
};

/*
 * Writes trace, sites and run.json into the folder, which is there and empty. A line that makes no
 * sense is -EBADMSG with file, line and reason.
 */
int fr_std_import(const char *trace, const char *dir, const char *version, struct fr_std_stats *ret,
		  struct fr_err *reterr);

#endif
