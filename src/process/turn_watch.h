/*
 * Watches a program that runs under the controller (runtime/control/ctl.h), while it is recorded in
 * a given order or re-executed.
 *
 * A thread that has the turn and sleeps in the kernel without progress waits for something that the
 * controller does not know. The watcher sees this in /proc, in three samples in a row. It then
 * makes a parked thread pass the turn on (runtime/control/ctl_pass.c), so that other threads
 * continue.
 */
#ifndef FR_PROCESS_TURN_WATCH_H
#define FR_PROCESS_TURN_WATCH_H

#include "format/control_file.h"
#include <stdbool.h>
#include <sys/types.h>

#define FR_TURN_SAMPLE_MS 20 /* between two samples */

struct fr_turn_watch {
	struct fr_control_file *c; /* the caller sets these two */
	struct fr_pool *pool;
	uint32_t current; /* thread that has the turn; 0 = all that could run wait outside */
	uint32_t samples; /* without progress, in a row */
	uint64_t sampled, since, hook, switches, beats;
};

/* Call it at least every FR_TURN_SAMPLE_MS. Returns the nanoseconds since the program made
   progress, 0 if it was not time for a sample. */
uint64_t fr_turn_watch_check(struct fr_turn_watch *w, uint64_t now);

#endif
