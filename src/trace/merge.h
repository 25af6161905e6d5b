/*
 * The events of all threads in one order that agrees with the recorded run as far as it is known.
 *
 * Events with a stamp come in the order of their stamps, which is exact. An event without one comes
 * right after the last stamp of its own thread: between that and its thread's next stamp it may
 * have happened at any time, so its place among other threads' events is not exact.
 */
#ifndef FR_TRACE_MERGE_H
#define FR_TRACE_MERGE_H

#include "trace/trace.h"

struct fr_merge {
	const struct fr_trace *trace;
	struct fr_merge_source {
		struct fr_iter it;
		struct fr_rec rec;
		uint64_t stamp; /* the last one known */
		bool exact;	/* rec has it itself */
	} *source;
	uint32_t *heap; /* of sources, lowest stamp first */
	uint32_t n, sources;
	bool started; /* the first of the heap has been returned */
};

int fr_merge_open(struct fr_merge *m, const struct fr_trace *t, struct fr_err *reterr);
/* 1 and the next event with its thread and (lower bound of the) stamp; 0 at the end; -errno. */
int fr_merge_next(struct fr_merge *m, struct fr_rec *ret, const struct fr_trace_thread **ret_thread,
		  uint64_t *ret_stamp, bool *ret_exact, struct fr_err *reterr);
void fr_merge_close(struct fr_merge *m);

#endif
