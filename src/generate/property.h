/*
 * Properties of users (spec/spec.h) as generators. Each property of a file becomes a generator of
 * the kind "property:NAME", each pattern in rows one of the kind "pattern:NAME" (pattern.h).
 *
 * The events of the run that a property selects (spec/occurrence.h) are divided into instances, by
 * the values of its parameters (property_instance.h). For each instance, property_search.c looks
 * for orders of its events that the automaton of the property (spec/spec_auto.h) rejects.
 *
 * The match is a sequence x1 ... xk of events of the instance. Its candidate says: they happen in
 * this order, xk is pending, and every other event of the instance that would disturb the automaton
 * stays apart (model/candidate.h): it comes before x1, or does not happen. An event disturbs
 * nothing if each state that the match passes through remains the same when it reads the event.
 */
#ifndef FR_GENERATE_PROPERTY_H
#define FR_GENERATE_PROPERTY_H

#include "generate/pattern.h"
#include "spec/spec_auto.h"

struct fr_property_kind {
	struct fr_generator generator; /* must be first; its name "property:NAME" is owned */
	const struct fr_property *property;
	struct fr_auto *automaton; /* owned */
};
struct fr_property_kinds {
	FR_VEC(struct fr_spec *) spec;	     /* owned */
	FR_VEC(struct fr_property_kind *) v; /* owned */
	FR_VEC(struct fr_pattern *) pattern; /* owned */
};
/* Kinds that users write. Their names in reports are NAME:..., and `--kinds NAME` means
   all of them. */
struct fr_user_kind {
	const char *name;
	const char *summary; /* for --help */
	const char *option;  /* that reads a file of them */
	bool in_attributes;  /* attributes of the program's source may give more */
};
/* The last one has no name. */
extern const struct fr_user_kind fr_user_kinds[];

/* Puts the generators into ret, and returns their number. With ret NULL, only counts them. */
size_t fr_property_kinds_generators(const struct fr_property_kinds *k,
				    const struct fr_generator **ret);
/* Is there one of this kind? */
bool fr_property_kinds_has(const struct fr_property_kinds *k, const struct fr_user_kind *kind);
/* Adds the properties or the patterns of a file. Returns 0; -EINVAL with the errors of the file,
   one a line, in *ret_errors; or -errno with a message if the file cannot be read. */
int fr_property_kinds_read(const char *path, struct fr_property_kinds *ret,
			   struct fr_buf *ret_errors, struct fr_err *reterr);
/* Adds the properties that attributes of the program's source demand
   (pass/attribute_property.h). */
void fr_property_kinds_of_attributes(const struct fr_sites *sites, struct fr_property_kinds *ret);
void fr_property_kinds_free(struct fr_property_kinds *p);

void fr_property_generate(const struct fr_generator *self, const struct fr_model *m,
			  const struct fr_causality *c, const struct fr_generate_opt *opt,
			  struct fr_groups *ret);

#endif
