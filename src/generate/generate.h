/*
 * Generators: one file a kind of bug, behind one interface. A generator looks for groups: places in
 * the program that could meet so, each with a few candidates (dynamic instances), nearest in the
 * run first. The first feasible one makes an interleaving; the rest of the group is then left.
 * Groups of one bug are the interleavings of one finding.
 */
#ifndef FR_GENERATE_GENERATE_H
#define FR_GENERATE_GENERATE_H

#include "causality/causality.h"
#include "generate/fr_generators.h"
#include "model/candidate.h"
#include "model/region_kind.h"

#define FR_INSTANCES 8 /* tried of each group */

/*
 * One event of a finding as people see it. `role`: "first", "second" (races); "waits" (deadlocks);
 * "local-first", "remote", "local-second" (atomicity violations); "first-unit", "second-unit"
 * (atomic sets); "event" (patterns). Events with the same `place`, from 1, access common bytes;
 * 0: it does not matter what it accesses.
 */
struct fr_actor {
	fr_ev ev;
	const char *role;
	uint32_t place;
};

/*
 * Actors stand in the order in which they are to happen, those that are pending last, in the order
 * of what.pending. Those that are not pending are in edges of the candidate.
 */
struct fr_instance {
	struct fr_candidate what;
	uint32_t nactors;
	struct fr_actor actor[]; /* nactors */
};
/* With nothing but room for the actors. */
struct fr_instance *fr_instance_new(uint32_t nactors);

struct fr_group {
	uint64_t key;	    /* equal groups have equal keys; stable from run to run
			       of one build */
	uint64_t bug;	    /* groups of one bug have the same; 0: it is one of its own */
	const char *region; /* what says that it should be atomic: FR_REGION_*; NULL: nothing */
	const char *shape;  /* "R-W-R"; NULL: there is but one */
	FR_VEC(struct fr_instance *) instance; /* owned */
	uint64_t instances_seen;	       /* all there were */
};
/* In the order in which the first instances are in the run: the oracle likes that. */
struct fr_groups {
	FR_VEC(struct fr_group) group;
	uint64_t refuted;	  /* instances that must-happen-before or a common lock excludes */
	uint64_t cut_off;	  /* places where a limit stopped the search for more */
	FR_VEC(char *) unmatched; /* names of fr_generate_opt that fit nothing; owned */
};

/* What the user asked for. Zero is nothing in particular. */
struct fr_generate_opt {
	const struct fr_named *calls;	 /* named.h: instead of those that the trace has of them */
	FR_VEC(const char *) atomic;	 /* globs of functions or files whose calls are regions */
	FR_VEC(const char *) atomic_set; /* comma lists of names, or globs; FR_SETS_MAX */
	bool no_near;			 /* neighbourhoods are no regions */
};

struct fr_generator {
	const char *name;    /* as in the report: "data-race" */
	const char *summary; /* for --help */
	bool guess; /* most of them need the hybrid tier: what is read differs by their nature */
	void (*generate)(const struct fr_generator *self, const struct fr_model *m,
			 const struct fr_causality *c, const struct fr_generate_opt *opt,
			 struct fr_groups *ret);
};
#define FR_X(name) extern const struct fr_generator name;
FR_GENERATORS(FR_X)
#undef FR_X
/* All of them, ending with NULL. */
extern const struct fr_generator *const fr_generators[];
void fr_group_free(struct fr_group *g);
void fr_groups_free(struct fr_groups *g);
/* Sorts the groups; a generator's last step. */
void fr_groups_sort(struct fr_groups *g);

/* A well mixed hash of two numbers: keys. */
static inline uint64_t fr_mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (b * UINT64_C(0x9e3779b97f4a7c15))) + UINT64_C(0x632be59bd9b4e019);

	h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
	h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return h ^ h >> 32;
}

#endif
