/* A schedule: a reordering of the recorded run that reaches a candidate. */
#ifndef FR_MODEL_SCHEDULE_H
#define FR_MODEL_SCHEDULE_H

#include "model/model.h"

/* Keep everything before `cut` as recorded, then take these steps (heads) in this order. The
   pending targets are then the next steps of their threads. */
struct fr_schedule {
	fr_ev cut;
	FR_VEC(fr_ev) step;
};
void fr_schedule_free(struct fr_schedule *s);

#endif
