/* An index over the heap objects of a model: which object was at an address. */
#ifndef FR_MODEL_MODEL_HEAP_H
#define FR_MODEL_MODEL_HEAP_H

#include "model/model.h"

/* The heap object that contained the address and was allocated before the event; the latest if
   there are several. UINT32_MAX if there is none. The first call builds the index, which the model
   owns. Any thread may call. */
uint32_t fr_heap_find(const struct fr_model *m, uint64_t addr, fr_ev before);

#endif
