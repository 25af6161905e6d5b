/* Schedules: see schedule.h. */
#include "model/schedule.h"

void fr_schedule_free(struct fr_schedule *s)
{
	fr_vec_free(&s->step);
}
