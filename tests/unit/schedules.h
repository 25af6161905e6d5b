/* A schedule made by hand, for the tests of the code that follows schedules. */
#ifndef FR_UNIT_SCHEDULES_H
#define FR_UNIT_SCHEDULES_H

#include "findings/schedule_file.h"

/* Three threads, five turns, three expectations and two targets that meet in this way. */
struct fr_schedule_file fx_schedule(enum fr_meeting meeting);

#endif
