/* Builds schedule files from oracle schedules: turns by thread and hook, expectations, targets. */
#ifndef FR_PREDICT_SCHEDULE_BUILD_H
#define FR_PREDICT_SCHEDULE_BUILD_H

#include "predict/describe.h"
#include "findings/recorded_turns.h"

/* Builds the schedule of a prediction, for src/confirm. */
void fr_schedule_build(struct fr_recorded_turns *o, const struct fr_generator *g,
		       const struct fr_feasible *r, struct fr_schedule_file *ret);
/* Is the step a target of the schedule? */
bool fr_schedule_is_target(const struct fr_model *m, const struct fr_schedule_file *s, fr_ev head);
/* Builds another schedule for the candidate of s, with the same events and targets. */
void fr_schedule_rebuild(struct fr_recorded_turns *o, const struct fr_schedule_file *s,
			 const struct fr_decision *v, struct fr_schedule_file *ret);

#endif
