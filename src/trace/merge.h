/*
 * Merges the events of all threads into the recorded order, as far as it is known.
 *
 * Events with a stamp are in the order of their stamps, which is exact. An event without a stamp
 * comes right after the last stamp of its own thread. It may have happened at any time before its
 * thread's next stamp, so its position relative to other threads is not exact.
 */
#ifndef FR_TRACE_MERGE_H
#define FR_TRACE_MERGE_H

#include "trace/trace.h"

struct fr_merge {
	const struct fr_trace *trace;
	struct fr_merge_source {
		struct fr_iter it;
		struct fr_rec rec;
		uint64_t stamp; /* the last stamp of the thread */
		bool exact;	/* it is rec's own stamp */
	} *source;
	uint32_t *heap; /* sources, lowest stamp first */
	uint32_t n, sources;
	bool started; /* the event of heap[0] was returned */
};

/* Reads the first event of each thread. Returns 0 or -errno. */
int fr_merge_open(struct fr_merge *m, const struct fr_trace *t, struct fr_err *reterr);
/* Returns 1 and the next event with its thread and stamp (a lower bound unless *ret_exact), 0 at
   the end, or -errno. The event is valid until the next call. */
int fr_merge_next(struct fr_merge *m, struct fr_rec *ret, const struct fr_trace_thread **ret_thread,
		  uint64_t *ret_stamp, bool *ret_exact, struct fr_err *reterr);
void fr_merge_close(struct fr_merge *m);

#endif
