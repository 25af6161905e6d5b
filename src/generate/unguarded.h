/*
 * Finds the locations that may have a race: those that no single lock guards, as far as one pass
 * over the run can tell. Most locations of most programs are guarded and need no further search.
 */
#ifndef FR_GENERATE_UNGUARDED_H
#define FR_GENERATE_UNGUARDED_H

#include "generate/lockset.h"
#include "causality/causality.h"

/* Accesses that the loader inserted or that the program marks as benign: never part of a race. */
#define FR_NO_TARGET (FR_F_SYNTH | FR_F_BENIGN)

/*
 * Sets ret[i] if location i is open, that is, may have a race; the other locations are safe. The
 * accesses that one thread made at the beginning do not count if all of them must happen before
 * everything else. A location is safe if its other accesses contain no write, or if their threads
 * hold one lock at all of them, exclusively at the writes. Returns the number of accesses to open
 * locations. The caller frees `ret`.
 */
uint32_t fr_guards_find(const struct fr_model *m, const struct fr_causality *c, bool **ret);
/* The end of the events of thread t that must happen before every event of all other threads. */
fr_ev fr_alone_until(const struct fr_model *m, const struct fr_causality *c, uint32_t t);

#endif
