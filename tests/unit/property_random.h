/* Random patterns and formulas over reads (r), writes (w) and acquisitions (l) of a run. */
#ifndef FR_TESTS_PROPERTY_RANDOM_H
#define FR_TESTS_PROPERTY_RANDOM_H

#include "spec/spec.h"

void property_seed(uint64_t seed);
/* A number below n. */
unsigned property_pick(unsigned n);
/* A property P(int *o) with the events r, w (of *o) and l (any lock), which has an automaton. */
struct fr_spec *property_random(bool formula);

#endif
