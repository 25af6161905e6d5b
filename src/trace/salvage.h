/* What a killed recorder left behind. */
#ifndef FR_TRACE_SALVAGE_H
#define FR_TRACE_SALVAGE_H

#include "trace/trace.h"

/* trace.c: the thread with this id, made if need be. */
struct fr_trace_thread *fr_trace_add_thread(struct fr_trace *t, uint32_t id);

/* A block that the end of the trace file cuts off. */
struct fr_torn {
	uint64_t offset;      /* 0: there is none */
	uint32_t thread, seq; /* thread 0: its header is cut off, too */
};
/* Adds the blocks that are left in the pool file (none if the trace has its end), and modules. */
int fr_trace_salvage(struct fr_trace *t, const char *pool, const struct fr_torn *torn, bool end,
		     struct fr_err *reterr);
/* Makes the site tables from the ELF files. */
int fr_trace_salvage_sites(struct fr_trace *t, struct fr_err *reterr);

#endif
