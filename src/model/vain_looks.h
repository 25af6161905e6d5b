/*
 * Looks of a waiting loop that found the lock taken. They tell how often the recorded thread
 * looked, not what the program can do: a thread that comes later looks once. If they stayed in the
 * model, another thread would have to hold the lock before this one gets it, in every reordering.
 *
 * The pass promises (FR_SITE_WAITS) that the loop has no other effect, and that the thread goes on
 * in the same way whenever the last value ends the loop. So the first look may return the value of
 * the last one. The looks before the last are left out of the trace (fr_trace_leave_out), and the
 * hooks of schedules count as if they had not happened.
 *
 * Not left out: looks of a thread that never got the lock; looks between which the recorder noted
 *               anything but accesses to the word and reads of memory that has one order; looks of
 *               a loop that began in another way than the iteration that got the lock.
 */
#ifndef FR_MODEL_VAIN_LOOKS_H
#define FR_MODEL_VAIN_LOOKS_H

#include "model/atomic_lock.h"
#include "trace/trace.h"

/* The looks of one waiting loop. */
struct fr_vain_loop {
	uint32_t thread; /* of the model */
	struct fr_vain_looks looks;
	uint64_t addr; /* of the word's granule */
};
struct fr_vain_loops {
	FR_VEC(struct fr_vain_loop) loop; /* by thread and hook */
};

/* Leaves the looks out of the trace from which the model was loaded. Returns 1 if there are any, so
   that the model must be loaded again, 0, or -errno. */
int fr_vain_loops_leave_out(const struct fr_vain_loops *v, const struct fr_model *m,
			    struct fr_trace *t, struct fr_err *reterr);

#endif
