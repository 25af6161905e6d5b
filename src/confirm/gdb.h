/*
 * Runs a schedule under gdb. gdb stops where the targets meet, with each of their threads at the
 * line of its next step.
 */
#ifndef FR_CONFIRM_GDB_H
#define FR_CONFIRM_GDB_H

#include "confirm/prove.h"

/* Runs gdb on this process's streams until it ends. self: path of forerun, through which gdb starts
   the program (fr_launch_become). others: other threads first. *ret_met: the targets met, or
   the program came to the end of the schedule of a failure. */
int fr_gdb(struct fr_prover *p, const struct fr_schedule_file *s, bool swapped, bool others,
	   const char *self, bool *ret_met, struct fr_err *reterr);

#endif
