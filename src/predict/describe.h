/*
 * From what the oracle said to what people read: the events of a prediction by place, name, value,
 * call stack and locks held, and the steps that lead to them.
 *
 * Use: fr_describe_want for everything that is to be described, fr_looks_pass, fr_describe.
 */
#ifndef FR_PREDICT_DESCRIBE_H
#define FR_PREDICT_DESCRIBE_H

#include "generate/generate.h"
#include "oracle/oracle.h"
#include "findings/finding.h"
#include "predict/hook_details.h"

/* A feasible instance of a group. */
struct fr_reached {
	const struct fr_group *group;
	const struct fr_instance *instance;
	struct fr_decision decision;
};
/* What was found of one bug. */
struct fr_predicted {
	const struct fr_generator *generator;
	uint64_t seen; /* instances, all there were */
	FR_VEC(struct fr_reached) way;
};

struct fr_describer {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_looks *looks;
	struct fr_findings *f;
	struct fr_map *names;	  /* of objects that were asked for; strings of f */
	FR_VEC(uint64_t) objects; /* of the finding at hand, in the order of their numbers */
};

void fr_describe_want(struct fr_describer *d, const struct fr_predicted *p);
/* Adds a finding, without id and schedules, to f. */
struct fr_finding *fr_describe(struct fr_describer *d, const struct fr_predicted *p);

/* ---- parts (names.c) ---- */

/* Where an event is in the source: the innermost place that is not in a header of the system. */
struct fr_place fr_describe_place(const struct fr_describer *d, fr_ev e);
/* Adds the places of its call stack, innermost first. */
void fr_describe_stack(const struct fr_describer *d, fr_ev e, struct fr_find_event *ret);
/* The name of what an event is about: of a lock, what it was called where the thread took it. */
const char *fr_describe_name(const struct fr_describer *d, fr_ev e);
/* The event that is looked at for that: itself, or another one. */
fr_ev fr_describe_namer(const struct fr_model *m, fr_ev e);
/* The value of an access, if it is known and not longer than 8 bytes. */
bool fr_describe_value(const struct fr_model *m, fr_ev e, uint64_t *ret);

#endif
