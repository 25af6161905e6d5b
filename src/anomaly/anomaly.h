/*
 * Generators: one file a kind of bug, behind one interface. A generator looks for groups: places in
 * the program that could meet so, each with a few candidates (dynamic instances), nearest in the
 * run first. The first feasible one makes the finding; the rest of the group is then left.
 */
#ifndef FR_ANOMALY_ANOMALY_H
#define FR_ANOMALY_ANOMALY_H

#include "causality/causality.h"
#include "oracle/oracle.h"

#define FR_INSTANCES 8 /* tried of each group */

/* One event of a finding as people see it. `role`: "first", "second" (races); "waits" (deadlocks).
 */
struct fr_actor {
	fr_ev ev;
	const char *role;
};

struct fr_instance {
	struct fr_candidate what;
	uint32_t nactors;
	struct fr_actor actor[]; /* nactors */
};
/* With nothing but room for the actors. */
struct fr_instance *fr_instance_new(uint32_t nactors);

struct fr_group {
	uint64_t key; /* equal groups have equal keys; stable from run to run
			 of one build */
	FR_VEC(struct fr_instance *) instance; /* owned */
	uint64_t instances_seen;	       /* all there were */
};
/* In the order in which the first instances are in the run: the oracle likes that. */
struct fr_groups {
	FR_VEC(struct fr_group) group;
	uint64_t refuted; /* instances that must-happen-before or a common lock excludes */
	uint64_t cut_off; /* places where a limit stopped the search for more */
};

struct fr_anomaly {
	const char *name;    /* as in the report: "data-race" */
	const char *summary; /* for --help */
	void (*generate)(const struct fr_model *m, const struct fr_causality *c,
			 struct fr_groups *ret);
};
extern const struct fr_anomaly fr_anomaly_race, fr_anomaly_deadlock;
/* All of them, ending with NULL. */
extern const struct fr_anomaly *const fr_anomalies[];
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
