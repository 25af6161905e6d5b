/*
 * Call stacks, rebuilt from the FRAMES slots of one thread (format/event.h).
 */
#ifndef FR_TRACE_STACK_H
#define FR_TRACE_STACK_H

#include "base/mem.h"
#include "trace/trace.h"

struct fr_frame {
	uint32_t call; /* site of the call that the frame executes; not of the innermost frame */
	uint32_t func; /* site of the function */
};

struct fr_stack {
	FR_VEC(struct fr_frame) frame; /* outermost first */
};

/* Takes the thread's events in order; only FRAMES change the stack. Missing frames are 0. */
void fr_stack_feed(struct fr_stack *s, const struct fr_rec *rec);
void fr_stack_free(struct fr_stack *s);

#endif
