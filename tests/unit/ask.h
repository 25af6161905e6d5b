/* Candidates of random runs: the questions of the tests to the oracle and to brute force. */
#ifndef FR_TESTS_ASK_H
#define FR_TESTS_ASK_H

#include "generate/generate.h"
#include "causality/causality.h"
#include "oracle/check.h"
#include "oracle/hybrid.h"
#include "causality/refute.h"
#include "oracle/sync_tier.h"

struct asked {
	FR_VEC(struct fr_candidate) v;
};

/* Every two accesses that conflict. */
void ask_races(const struct fr_model *m, struct asked *ret);
/* Some of them, near each other. */
void ask_near_races(const struct fr_model *m, unsigned n, uint64_t *random, struct asked *ret);
/* Every access with the free of its object first. */
void ask_frees(const struct fr_model *m, struct asked *ret);
/* Every cycle of acquisitions and joins: each thread holds the resource that the one before waits
   for. */
void ask_deadlocks(const struct fr_model *m, struct asked *ret);
/* Every read with every write of its location, and with the value at the start: up to n of them,
   some with another target or an edge. */
void ask_sees(const struct fr_model *m, unsigned n, uint64_t *random, struct asked *ret);
/* A few others: up to three targets of any kind within [cut, end), an edge or two between events
   there. */
void ask_others(const struct fr_model *m, fr_ev cut, fr_ev end, unsigned n, uint64_t *random,
		struct asked *ret);
void ask_free(struct asked *a);

/* All that can be asked about a run, the oracle apart. */
struct ask_tools {
	const struct fr_model *m;
	struct fr_causality *c;
	struct fr_refuter *refuter;
	struct fr_sync_tier *sync;
	struct fr_hybrid *hybrid;
	struct fr_checker *checker;
};
struct ask_tools ask_tools_new(const struct fr_model *m);
void ask_tools_free(struct ask_tools *t);

/* The precise tier, with patience. */
extern const struct fr_oracle_opt ask_precise;
/* The answer about a group: yes if it is yes for one instance, else unknown if it is unknown for
   one. */
enum fr_answer ask_group(struct fr_oracle *o, const struct fr_group *g);

/* A candidate by the sites of its events, so that it is found again in a run that was made smaller.
 */
struct ask_name {
	struct {
		uint32_t site, nth;
	} pending[FR_TARGETS], edge[FR_EDGES][2];
	struct {
		uint32_t site, nth;
	} read, write;
	bool sees, initial;
	uint32_t npending, nedges;
};
void ask_name(const struct fr_model *m, const struct fr_candidate *c, struct ask_name *ret);
/* False: something of it is not there any more. */
bool ask_find(const struct fr_model *m, const struct ask_name *n, struct fr_candidate *ret);
/* On stderr. */
void ask_print(const struct fr_candidate *c);

#endif
