/*
 * Imports a textual trace in the STD format of the RAPID tools into a run folder. This is the entry
 * to the module `import`; cmd/cmd_import.c calls fr_std_import.
 *
 * A line is `thread|op(operand)|location`. The operations are r and w (on a variable), acq and rel
 * (a lock), fork and join (a thread), begin and end (an atomic region; the operand is optional).
 * The order of the lines is the recorded order. The result is an ordinary run folder, which predict
 * reads like a recorded one: an event's line number is its hook and its stamp, and accesses
 * carry no values. There is no program, so nothing can be confirmed.
 *
 *   std.c         parses and checks the lines, and writes the events with trace/writer.h
 *   std_names.h   numbers the names of threads, locks, variables and locations
 *   std_folder.c  writes the end block, `sites` and run.json (std_internal.h: shared with std.c)
 *
 * Failure: the first line that is malformed or contradicts the lines before it ends the import with
 * an error that gives file, line and reason.
 */
#ifndef FR_IMPORT_STD_H
#define FR_IMPORT_STD_H

#include "base/err.h"
#include <stdint.h>

/* Addresses of imported objects: variable or lock number i is at its base + 8 * i. The address of a
   thread is its id. */
#define FR_STD_VARIABLES (UINT64_C(1) << 44)
#define FR_STD_LOCKS (UINT64_C(2) << 44)

struct fr_std_stats {
	uint64_t lines, events, threads, locks, variables, locations;
	/* acquisitions of a lock that the thread held already, and their releases */
	uint64_t inner;
	uint64_t held, held_since; /* locks never released; the earliest line that acquired one */
	uint64_t open;		   /* regions without an end */
};

/*
 * Writes trace, sites and run.json into the folder, which must exist and be empty. Returns -EBADMSG
 * for a bad line, with file, line and reason.
 */
int fr_std_import(const char *trace, const char *dir, const char *version, struct fr_std_stats *ret,
		  struct fr_err *reterr);

#endif
