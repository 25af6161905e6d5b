/*
 * Decides which calls on kernel objects end an atomic region.
 *
 * Meaning:  writing a file releases its key even if no thread reads the file. Such a release ends
 *           the thread's region only if another thread acquires the key later, and need not do so
 *           after the whole thread (as after a join). An acquire ends the region only if another
 *           thread released the key earlier, and need not have done so before the whole thread.
 * Cost:     at most one pass over the events of an object for each thread that uses it.
 * Not here: annotations and signals, which always end a region.
 */
#ifndef FR_GENERATE_REGION_END_H
#define FR_GENERATE_REGION_END_H

#include "generate/generate.h"

struct fr_exchange {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_map taken; /* thread and object -> last acquire by another thread, + 1 */
	struct fr_map given; /* thread and object -> first release by another thread, + 1 */
};

/* Does this ACQUIRE_ALL or RELEASE_ALL pass something between threads? */
bool fr_exchanges(struct fr_exchange *x, fr_ev e);
void fr_exchange_free(struct fr_exchange *x);

#endif
