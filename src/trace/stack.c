/* Call stacks from FRAMES slots. MAX_DEPTH bounds the stack if the trace is damaged. */
#include "trace/stack.h"
#include "base/assert.h"

#define MAX_DEPTH (1u << 16)

void fr_stack_feed(struct fr_stack *s, const struct fr_rec *rec)
{
	uint64_t keep;

	if (fr_event_kind(rec->e) != FR_EV_FRAMES)
		return;
	keep = fr_min(fr_event_addr(rec->e), (uint64_t)MAX_DEPTH);
	while (s->frame.n < keep) /* the trace lacks the lower frames */
		fr_vec_push(&s->frame, (struct fr_frame){0});
	s->frame.n = keep;
	if (keep)
		s->frame.v[keep - 1].call = rec->e->site;
	for (uint32_t i = 1; i < rec->n && s->frame.n < MAX_DEPTH; i++)
		fr_vec_push(&s->frame, (struct fr_frame){(uint32_t)fr_event_addr(&rec->e[i]),
							 (uint32_t)rec->e[i].value});
	fr_assert_slow(s->frame.n <= MAX_DEPTH);
}

void fr_stack_free(struct fr_stack *s)
{
	fr_vec_free(&s->frame);
}
