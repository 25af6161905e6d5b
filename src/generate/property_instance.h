/*
 * The instances of a property: combinations of values of its parameters that occur together, made
 * by joining the bindings of the events (GPredict section II-C, without the product of all values).
 *
 * A *binding* is a set of parameters with their values, as some event binds them. Two bindings are
 * joined if they agree on the parameters that they share. An instance is a join that no further
 * binding extends. Its events are those whose bindings it contains.
 *
 * Memory: proportional to the events and to the instances. The events of an instance are not
 * stored; fr_instances_events collects them.
 */
#ifndef FR_GENERATE_PROPERTY_INSTANCE_H
#define FR_GENERATE_PROPERTY_INSTANCE_H

#include "spec/occurrence.h"

struct fr_binding {
	uint32_t bound;
	uint64_t value[FR_SPEC_PARAMS]; /* 0 where not bound */
};
struct fr_instances {
	const struct fr_occurrences *o;
	FR_VEC(struct fr_binding) seen; /* each binding of an event once */
	uint32_t *first, *list;		/* occurrences by binding: list[first[i]] ... */
	struct fr_map index;		/* hash of a binding -> index into seen + 1 */
	FR_VEC(uint32_t) same;		/* the next of `seen` with the same hash + 1 */
	FR_VEC(uint32_t) mask;		/* the sets of parameters that occur */
	FR_VEC(struct fr_binding) v;	/* the instances */
	bool cut_off;			/* there are more */
};
void fr_instances_init(struct fr_instances *x, const struct fr_occurrences *o);
void fr_instances_free(struct fr_instances *x);
typedef FR_VEC(uint32_t) fr_occurrence_list;
/* The occurrences of an instance, ascending. */
void fr_instances_events(const struct fr_instances *x, const struct fr_binding *instance,
			 fr_occurrence_list *ret);

#endif
