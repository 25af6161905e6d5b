/* Which heap object was at an address: an index over those of a model. */
#ifndef FR_MODEL_MODEL_HEAP_H
#define FR_MODEL_MODEL_HEAP_H

#include "model/model.h"

/*
 * The heap object that an address lay in, allocated before an event: of several the last one.
 * UINT32_MAX: none. The first call builds the index, which the model owns; any thread may call.
 */
uint32_t fr_heap_find(const struct fr_model *m, uint64_t addr, fr_ev before);

#endif
