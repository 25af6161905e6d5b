/*
 * Fields of one object belong together: finds the object whose field an access touches.
 *
 * A field is a part that the source code names as one: `p->x`, `q.count`. All fields in one
 * allocated block belong to one object; elsewhere all fields of one variable do.
 */
#ifndef FR_GENERATE_OBJECT_FIELD_H
#define FR_GENERATE_OBJECT_FIELD_H

#include "generate/generate.h"

struct fr_field {
	uint32_t object; /* hash of the variable; 0 = not a field */
	uint32_t name;	 /* hash of the whole name */
};
struct fr_fields {
	struct fr_map sites; /* site -> object << 32 | name */
};

/* The object whose field the event accesses; 0 = not a field. */
uint64_t fr_fields_object(struct fr_fields *f, const struct fr_model *m, fr_ev e);
/* Do the events access different fields of one object? */
bool fr_fields_together(struct fr_fields *f, const struct fr_model *m, fr_ev a, fr_ev b);
void fr_fields_free(struct fr_fields *f);

#endif
