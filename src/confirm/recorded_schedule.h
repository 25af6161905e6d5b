/* The schedule of the recorded run itself. */
#ifndef FR_CONFIRM_RECORDED_SCHEDULE_H
#define FR_CONFIRM_RECORDED_SCHEDULE_H

#include "findings/schedule_file.h"
#include "model/model.h"

/* Makes the schedule of a run from its model and the trace in it. */
int fr_recorded_schedule(const struct fr_model *m, struct fr_schedule_file *ret,
			 struct fr_err *reterr);

#endif
