/* Completes a trace whose recorder was killed, from the pool file. Called by trace.c. */
#ifndef FR_TRACE_SALVAGE_H
#define FR_TRACE_SALVAGE_H

#include "trace/trace.h"

/* In trace.c: returns the thread with this id; adds it if it is missing. */
struct fr_trace_thread *fr_trace_add_thread(struct fr_trace *t, uint32_t id);

/* A block that the end of the trace file truncates. */
struct fr_torn {
	uint64_t offset;      /* 0: none */
	uint32_t thread, seq; /* thread 0: its header is truncated too */
};
/* Adds the blocks that are left in the pool file (unless the trace has its end block), counters and
   modules. Fails if the pool is damaged or the torn block is not in it. */
int fr_trace_salvage(struct fr_trace *t, const char *pool, const struct fr_torn *torn, bool end,
		     struct fr_err *reterr);
/* Makes the site tables and the initial memory from the ELF files. */
int fr_trace_salvage_sites(struct fr_trace *t, struct fr_err *reterr);

#endif
