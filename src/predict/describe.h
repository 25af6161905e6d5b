/*
 * Turns a prediction into a finding: position, name, value, call stack and held locks of its
 * events, and the steps that lead to them.
 *
 * Use: fr_describe_want for each prediction, then fr_hook_stacks_pass (hook_stacks.h),
 * then fr_describe for each prediction. predict_save.c is the caller.
 */
#ifndef FR_PREDICT_DESCRIBE_H
#define FR_PREDICT_DESCRIBE_H

#include "generate/generate.h"
#include "oracle/oracle.h"
#include "findings/finding.h"
#include "predict/hook_stacks.h"

/* A feasible instance of a group. */
struct fr_feasible {
	const struct fr_group *group;
	const struct fr_instance *instance;
	struct fr_decision decision;
};
/* The feasible instances of one bug. */
struct fr_predicted {
	const struct fr_generator *generator;
	uint64_t seen; /* number of all its instances */
	FR_VEC(struct fr_feasible) interleaving;
};

struct fr_describer {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_hook_stacks *stacks;
	struct fr_findings *f;
	struct fr_map *names;	  /* cached names of objects; strings of f */
	FR_VEC(uint64_t) objects; /* of the present finding, in the order of their numbers */
};

/* Asks for the call stacks of all hooks that the finding of p needs. */
void fr_describe_want(struct fr_describer *d, const struct fr_predicted *p);
/* Adds a finding, without id and schedules, to f. */
struct fr_finding *fr_describe(struct fr_describer *d, const struct fr_predicted *p);

/* Describes an event without its stack and locks. */
struct fr_finding_event fr_describe_step(struct fr_describer *d, fr_ev e);

/* ---- parts (describe_names.c) ---- */

/* Adds a site and the functions into which it was inlined, innermost first. */
void fr_describe_site(const struct fr_describer *d, uint32_t site, struct fr_finding_event *ret);
/* Returns the innermost position of the stack, from this one on, that is outside system headers. */
struct fr_position fr_describe_own_position(const struct fr_finding_event *e, size_t from);

/* Returns the event's source position: the innermost one outside system headers. */
struct fr_position fr_describe_position(const struct fr_describer *d, fr_ev e);
/* Adds the positions of its call stack, innermost first. */
void fr_describe_stack(const struct fr_describer *d, fr_ev e, struct fr_finding_event *ret);
/* Returns the name of the event's object; of a lock, its name where the thread took it. */
const char *fr_describe_name(const struct fr_describer *d, fr_ev e);
/* Returns the event that gives the object its name: e itself, or an earlier acquisition. */
fr_ev fr_describe_namer(const struct fr_model *m, fr_ev e);
/* Returns the value of an access, if it is known and at most 8 bytes long. */
bool fr_describe_value(const struct fr_model *m, fr_ev e, uint64_t *ret);

#endif
