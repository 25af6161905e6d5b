/* Candidates of random runs: what the tests ask the oracle, its tiers and brute force. */
#ifndef FR_TESTS_ASK_H
#define FR_TESTS_ASK_H

#include "oracle/oracle.h"

struct asked {
	FR_VEC(struct fr_candidate) v;
};

/* Every two accesses that conflict. */
void ask_races(const struct fr_model *m, struct asked *ret);
/* Some of them, near each other. */
void ask_near_races(const struct fr_model *m, unsigned n, uint64_t *random, struct asked *ret);
/* Every cycle of acquisitions: each thread holds what the one before wants. */
void ask_deadlocks(const struct fr_model *m, struct asked *ret);
/* A few others: up to three targets of any kind within [cut, end), an edge or two between events
   there. */
void ask_others(const struct fr_model *m, fr_ev cut, fr_ev end, unsigned n, uint64_t *random,
		struct asked *ret);
void ask_free(struct asked *a);
/* On stderr. */
void ask_print(const struct fr_candidate *c);

#endif
