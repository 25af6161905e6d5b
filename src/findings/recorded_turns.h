/* Makes turns of a schedule from the recorded order. Used by predict and confirm. */
#ifndef FR_FINDINGS_RECORDED_TURNS_H
#define FR_FINDINGS_RECORDED_TURNS_H

#include "findings/schedule_file.h"

/* The recorded order as turns, built as far as needed. Set m; the rest is zero at first. */
struct fr_recorded_turns {
	const struct fr_model *m;
	fr_ev done;		       /* events before this one are in the turns */
	struct fr_schedule_file whole; /* the schedule of the recorded run itself */
	FR_VEC(fr_ev) begin;	       /* first event of each turn */
	bool used;		       /* some schedule refers to it */
};
void fr_recorded_turns_free(struct fr_recorded_turns *o);
/* Returns the schedule of the recorded run, to its end. Do not build other schedules from o after
   this call. */
const struct fr_schedule_file *fr_recorded_turns_whole(struct fr_recorded_turns *o);
/* Adds the recorded order before the cut: complete turns by reference (s->prefix) if there are more
   than FR_SCHEDULE_INLINE, else copied; the last turn up to the cut. */
void fr_recorded_turns_prefix(struct fr_recorded_turns *o, fr_ev cut, struct fr_schedule_file *s);

#endif
