/*
 * Call stacks, rebuilt from FRAMES events (format/event.h): a thread's events must be fed in order.
 */
#ifndef FR_TRACE_STACK_H
#define FR_TRACE_STACK_H

#include "base/mem.h"
#include "trace/trace.h"

struct fr_frame {
	uint32_t call; /* site of the call that the frame is in, for all but the innermost */
	uint32_t func; /* site of the function */
};

struct fr_stack {
	FR_VEC(struct fr_frame) frame; /* outermost first */
};

/* Takes any event; only FRAMES change the stack. Frames that are not there count as unknown (0). */
void fr_stack_feed(struct fr_stack *s, const struct fr_rec *rec);
void fr_stack_free(struct fr_stack *s);

#endif
