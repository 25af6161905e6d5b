/*
 * Must a read see another value in the order of a finding than in the recorded run? If the program
 * leaves its schedule after such a read, that order leads nowhere else. If not, the value came from
 * one of several orders, and another may still lead to the events.
 */
#ifndef FR_CONFIRM_FORCED_VALUE_H
#define FR_CONFIRM_FORCED_VALUE_H

#include "confirm/place_plan.h"

/* Must the read at this hook of the thread, in the recorded run, see another value? False: it need
   not, or forerun does not know. */
bool fr_forced_read(const struct fr_model *m, const struct fr_place_plan *p, const char *thread,
		    uint64_t hook);

#endif
