/* Builds schedule files from oracle schedules: turns by thread and hook, expectations, targets. */
#ifndef FR_PREDICT_SCHEDULE_BUILD_H
#define FR_PREDICT_SCHEDULE_BUILD_H

#include "predict/describe.h"
#include "findings/recorded_turns.h"

/* Builds the schedule of a prediction, for which fr_looks_pass has run. src/confirm reads the
   file. */
void fr_sched_build(struct fr_order *o, const struct fr_looks *looks, const char *kind,
		    const struct fr_reached *w, struct fr_sched *ret);

#endif
