/* Makes turns of a schedule from the recorded order. Used by predict and confirm. */
#ifndef FR_FINDINGS_RECORDED_TURNS_H
#define FR_FINDINGS_RECORDED_TURNS_H

#include "findings/schedule_file.h"
#include "model/model.h"

/* The recorded order as turns, built as far as needed. Set m; the rest is zero at first. */
struct fr_order {
	const struct fr_model *m;
	fr_ev done;	       /* events before this one are in the turns */
	struct fr_sched whole; /* the schedule of the recorded run itself */
	FR_VEC(fr_ev) begin;   /* first event of each turn */
	bool used;	       /* some schedule refers to it */
};
void fr_order_free(struct fr_order *o);
/* Returns the schedule of the recorded run, to its end. Do not build other schedules from o after
   this call. */
const struct fr_sched *fr_order_whole(struct fr_order *o);

/* ---- parts of other schedules ---- */

/* Starts a schedule: threads, modules, run id. */
void fr_order_begin(struct fr_sched *s, const struct fr_model *m, const char *kind,
		    enum fr_meeting meeting);
/* Adds the recorded order before the cut: complete turns by reference (s->prefix) if there are more
   than FR_SCHEDULE_INLINE, else copied; the last turn up to the cut. */
void fr_order_prefix(struct fr_order *o, fr_ev cut, struct fr_sched *s);
/* Adds an event: makes its thread run up to it. */
void fr_order_turn(struct fr_sched *s, const struct fr_model *m, fr_ev e);

#endif
