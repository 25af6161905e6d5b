/* Events as text. */
#ifndef FR_CMD_EVENT_TEXT_H
#define FR_CMD_EVENT_TEXT_H

#include "base/mem.h"
#include "trace/stack.h"
#include "trace/trace.h"

/* The object of an event: "counter 0x5555...", or an address. */
void fr_event_text_object(struct fr_buf *b, const struct fr_trace *t, const struct fr_rec *rec);
/* Everything else that the event kind carries: " = 5", outcome, order, size of a range, thread. */
void fr_event_text_detail(struct fr_buf *b, const struct fr_trace *t, const struct fr_rec *rec);
/* "file:line:col function" of a site; "?" if unknown. */
void fr_event_text_site(struct fr_buf *b, const struct fr_trace *t, uint32_t site);
/* The lines of a call stack, innermost first, indented. */
void fr_event_text_stack(struct fr_buf *b, const struct fr_trace *t, const struct fr_stack *s,
			 uint32_t site);
/* event_text_input.c: the program's request for input, and the answer (FR_EV_INPUT). */
const char *fr_event_text_input_name(unsigned what);
void fr_event_text_input(struct fr_buf *b, const struct fr_rec *rec);
/* Returns the bytes [*lo, *hi) that an access touches; false if the event is no access. */
bool fr_event_range(const struct fr_rec *rec, uint64_t *lo, uint64_t *hi);

#endif
