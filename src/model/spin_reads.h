/*
 * Spin reads: the reads by which a waiting loop found its lock taken. They show how often the
 * recorded thread read, not what the program can do: a thread that comes later reads once. If they
 * stayed in the model, another thread would have to hold the lock before this one gets it, in every
 * reordering.
 *
 * The pass promises (FR_SITE_WAITS) that the loop has no other effect, and that the thread
 * continues identically whenever the last value ends the loop. So the first read may return the
 * value of the last one. The reads before the last are left out of the trace (fr_trace_leave_out),
 * and the hooks of schedules count as if they had not happened.
 *
 * Not left out: reads of a thread that never got the lock; reads between which the recorder noted
 *               anything but accesses to the word and reads of memory that has one order; reads of
 *               a loop whose first iteration differs from the one that got the lock.
 */
#ifndef FR_MODEL_SPIN_READS_H
#define FR_MODEL_SPIN_READS_H

#include "model/atomic_lock.h"
#include "trace/trace.h"

/* The spin reads of one waiting loop. */
struct fr_spin_loop {
	uint32_t thread; /* of the model */
	struct fr_spin_reads reads;
	uint64_t addr; /* of the word's granule */
};
struct fr_spin_loops {
	FR_VEC(struct fr_spin_loop) loop; /* by thread and hook */
};

/* Leaves the spin reads out of the trace from which the model was loaded. Returns 1 if there are
   any, so that the model must be loaded again, 0, or -errno. */
int fr_spin_loops_leave_out(const struct fr_spin_loops *v, const struct fr_model *m,
			    struct fr_trace *t, struct fr_err *reterr);

#endif
