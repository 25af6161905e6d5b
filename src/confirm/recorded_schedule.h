/* The schedule of the recorded run itself. */
#ifndef FR_CONFIRM_RECORDED_SCHEDULE_H
#define FR_CONFIRM_RECORDED_SCHEDULE_H

#include "findings/schedule_file.h"
#include "trace/trace.h"

/* Makes the schedule of the run in `dir`, whose trace is open. *ret_unexplained: number of reads
   whose order is unknown. */
int fr_recorded_schedule(const char *dir, const struct fr_trace *t, struct fr_sched *ret,
			 uint64_t *ret_unexplained, struct fr_err *reterr);

#endif
