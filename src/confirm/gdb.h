/*
 * A schedule under gdb: it stops where the targets meet, with every thread that takes part at the
 * line of what it does next.
 */
#ifndef FR_CONFIRM_GDB_H
#define FR_CONFIRM_GDB_H

#include "confirm/prove.h"

/*
 * Runs gdb, with this process's streams, until it ends. self: the path of forerun, which gdb starts
 * the program through (fr_launch_become). others: go on first. ret_met: whether the targets met.
 */
int fr_gdb(struct fr_prover *p, const struct fr_sched *s, bool swapped, bool others,
	   const char *self, bool *ret_met, struct fr_err *reterr);

#endif
