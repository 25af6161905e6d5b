/*
 * Notices that a recorded program hangs: every thread sleeps until another one wakes it, and
 * nothing outside can.
 *
 * Decided by state: the runtime knows each thread that exists, and each sleeps without a timeout:
 * in a futex call on memory that no other process shares, or in a read, write or poll of objects
 * that no other process has open (own_object.h). If two samples show no context switch in between,
 * no thread ran, so the state is permanent. A timer without a handler can only end the program.
 * Handlers: if the program has a handler of a signal that could come from outside, each thread must
 * wait for a thread of a cycle of mutexes and joins, which no handler can end
 * (format/signal_wakes.h). A program that has set an alarm for a handler may end itself, and is not
 * decided.
 * Never decided: a thread sleeps in another system call (nanosleep, wait4, sigwait, select,
 * accept), a thread that the runtime does not know exists, /proc does not tell, or the run has a
 * fixed order: there the controller decides (runtime/control/ctl_idle.c).
 */
#ifndef FR_PROCESS_HANG_WATCH_H
#define FR_PROCESS_HANG_WATCH_H

#include "format/pool.h"
#include <stdbool.h>

#define FR_HANG_SAMPLE_MS 100 /* between two samples */

struct fr_hang_watch {
	uint64_t state;	 /* of the last sample that saw all threads asleep; 0: it did not */
	uint64_t shares; /* a state in which another process can end a wait */
};

/* Returns whether the program of the pool hangs. */
bool fr_hang_watch_check(struct fr_hang_watch *w, struct fr_pool *pool);

#endif
