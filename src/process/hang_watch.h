/*
 * Notices that a recorded program hangs: every thread sleeps until another one wakes it, and
 * nothing outside can.
 *
 * Decided by state: each thread that exists is known to the runtime and sleeps in a futex call
 * without a timeout, on memory that no other process shares, or reads from a pipe that no other
 * process has open; and the program has no handler of a signal that could come from outside
 * (format/signal_wakes.h). Two looks with no switch of a thread
 * in between see one state, which then lasts for ever. A timer without a handler can only end the
 * program.
 * Never decided: a thread sleeps in another system call (poll, nanosleep, wait4, sigwait), a
 * thread that the runtime does not know exists, /proc does not tell, or the run has a fixed order:
 * there the controller decides (runtime/control/ctl_idle.c).
 */
#ifndef FR_PROCESS_HANG_WATCH_H
#define FR_PROCESS_HANG_WATCH_H

#include "format/pool.h"
#include <stdbool.h>

#define FR_HANG_LOOK_MS 100 /* between two looks */

struct fr_hang_watch {
	uint64_t state;	 /* of the last look that saw all threads asleep; 0: it did not */
	uint64_t shares; /* a state in which another process has a pipe open that a thread reads */
};

/* Returns whether the program of the pool hangs. */
bool fr_hang_watch_check(struct fr_hang_watch *w, struct fr_pool *pool);

#endif
