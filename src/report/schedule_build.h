/* Schedule files from schedules: turns by thread and hook, what is expected, targets. */
#ifndef FR_REPORT_SCHEDULE_BUILD_H
#define FR_REPORT_SCHEDULE_BUILD_H

#include "report/describe.h"
#include "report/schedule_file.h"

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

/* The schedule of a prediction; looks must have been made for it. */
void fr_sched_build(struct fr_order *o, const struct fr_looks *looks, const char *kind,
		    const struct fr_reached *w, struct fr_sched *ret);

#endif
