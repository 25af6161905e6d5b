/*
 * Patterns in rows (spec/spec.h) as generators. Each becomes a generator of the kind
 * "pattern:NAME", which fr_property_kinds_read makes (property.h).
 *
 * A pattern is also a property (fr_rows_property). But property.c divides the accesses into
 * instances, one for each combination of locations. pattern.c goes from one access to accesses that
 * are tied to it by location, thread and region, and so needs no such product (doc/decisions.md).
 * The automaton of the property accepts every match.
 *
 * A step is an event of the model, so accesses to memory of one thread alone do not count. All
 * events joined by `||` are at once together. Two accesses to one location at once, or consecutive
 * in two threads, are not both atomic: that is no race. As in PECAN, a pattern of two events in two
 * named regions describes a race, and its events are consecutive.
 */
#ifndef FR_GENERATE_PATTERN_H
#define FR_GENERATE_PATTERN_H

#include "generate/generate.h"
#include "spec/spec_auto.h"

_Static_assert(FR_ROWS_EVENTS <= FR_EDGES, "a chain of edges through all events");
_Static_assert(FR_ROWS_ORDERS <= FR_EDGES, "an edge for each order");

struct fr_pattern {
	struct fr_generator generator; /* must be first; its name "pattern:NAME" is owned */
	struct fr_auto *automaton;     /* owned; NULL: it has too many states */
	const struct fr_rows *rows;
	uint32_t n;
	struct fr_row_event ev[FR_ROWS_EVENTS];
};

/* Generates the candidates of a pattern. self: its generator. The actors have the role
   FR_ROLE_EVENT, in the order of the pattern; their `memory` is the number of the location. */
void fr_pattern_generate(const struct fr_generator *self, const struct fr_model *m,
			 const struct fr_causality *c, const struct fr_generate_opt *opt,
			 struct fr_groups *ret);

#endif
