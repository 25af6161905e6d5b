/* The recorded order as the turns of a schedule file. */
#ifndef FR_FINDINGS_RECORDED_TURNS_H
#define FR_FINDINGS_RECORDED_TURNS_H

#include "findings/schedule_file.h"
#include "model/model.h"

/* The recorded order as turns; built as far as it is asked for. Zero-initialise. */
struct fr_order {
	const struct fr_model *m;
	fr_ev done;	       /* events that are in the turns */
	struct fr_sched whole; /* the schedule of the recorded run itself */
	FR_VEC(fr_ev) begin;   /* first event of each turn */
	bool used;	       /* some schedule refers to it */
};
void fr_order_free(struct fr_order *o);
/* The schedule of the recorded run itself, to its end. No schedule can be built from o after it. */
const struct fr_sched *fr_order_whole(struct fr_order *o);

/* ---- parts of other schedules ---- */

/* Starts a schedule: threads, modules, run id. */
void fr_order_begin(struct fr_sched *s, const struct fr_model *m, const char *kind);
/* Adds everything before the cut: full turns by reference or copied, the last one up to the cut. */
void fr_order_prefix(struct fr_order *o, fr_ev cut, struct fr_sched *s);
/* Adds an event. */
void fr_order_turn(struct fr_sched *s, const struct fr_model *m, fr_ev e);

#endif
