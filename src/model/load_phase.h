/*
 * Phases: which accesses of shared memory can be left out because everything that conflicts with
 * them must happen before or after them. See load_phase.c.
 */
#ifndef FR_MODEL_LOAD_PHASE_H
#define FR_MODEL_LOAD_PHASE_H

#include "model/load.h"

/*
 * Goes through the whole trace. Numbers the granules anew: those at which nothing can be in another
 * order have none. `ret`: for each of the others the first segment (fr_lthread.segment) from which
 * on its accesses are kept. 0 or -errno.
 */
int fr_phase_find(struct fr_load *l, uint32_t **ret);

#endif
