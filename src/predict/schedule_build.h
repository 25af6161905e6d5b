/* Schedule files from schedules: turns by thread and hook, what is expected, targets. */
#ifndef FR_PREDICT_SCHEDULE_BUILD_H
#define FR_PREDICT_SCHEDULE_BUILD_H

#include "predict/describe.h"
#include "findings/recorded_turns.h"

/* The schedule of a prediction; looks must have been made for it. */
void fr_sched_build(struct fr_order *o, const struct fr_looks *looks, const char *kind,
		    const struct fr_reached *w, struct fr_sched *ret);

#endif
