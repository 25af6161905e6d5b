/*
 * Must a read see another value in the order of a finding than in the recorded run? If the program
 * leaves its schedule after such a read, that order leads nowhere else. If not, the value came from
 * one of several orders, and another may still lead to the events.
 */
#ifndef FR_CONFIRM_FORCED_H
#define FR_CONFIRM_FORCED_H

#include "confirm/place.h"

/* The read of the recorded run at this hook of the thread. False: it need not, or that is
   unknown. */
bool fr_forced_read(const struct fr_model *m, const struct fr_place_plan *p, const char *thread,
		    uint64_t hook);

#endif
