/*
 * Which locations can be raced on: those that no one lock guards, as far as one pass over the run
 * can tell. Most locations of most programs are guarded, and need not be looked at any further.
 */
#ifndef FR_GENERATE_GUARD_H
#define FR_GENERATE_GUARD_H

#include "generate/lockset.h"
#include "causality/causality.h"

/* Accesses that the loader put in, or that the program says are meant: never part of a race. */
#define FR_NO_TARGET (FR_F_SYNTH | FR_F_BENIGN)

/*
 * ret[i]: location i is open, something of it may race; the others are safe. Safe is a location of
 * which, leaving out what one thread did at the beginning if all of it must happen before
 * everything else, nothing is written, or one lock is held at all accesses, alone at the writes.
 * Returns how many accesses the open locations have. `ret` is to be freed.
 */
uint32_t fr_guards_find(const struct fr_model *m, const struct fr_causality *c, bool **ret);

#endif
