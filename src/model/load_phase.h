/*
 * Phases: finds accesses to shared memory that the model can leave out, because every conflicting
 * access must happen before or after them. See load_phase.c.
 */
#ifndef FR_MODEL_LOAD_PHASE_H
#define FR_MODEL_LOAD_PHASE_H

#include "model/load.h"

/* Reads the whole trace. Renumbers the granules; a granule whose accesses can have only one order
   loses its number. `ret` holds for each remaining granule the first stretch (fr_lthread.stretch)
   whose accesses are kept. Returns 0 or -errno. */
int fr_phase_find(struct fr_load *l, uint32_t **ret);

#endif
