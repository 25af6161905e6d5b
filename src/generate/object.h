/*
 * Fields of one object belong together: which object an access is of, if it is one of a field.
 *
 * A field is what the program's text calls one: `p->x`, `q.count`. Of an allocated block all fields
 * are of one object; elsewhere those of one variable are.
 */
#ifndef FR_GENERATE_OBJECT_H
#define FR_GENERATE_OBJECT_H

#include "generate/generate.h"

struct fr_field {
	uint32_t object; /* hash of the variable; 0: it is no field */
	uint32_t name;	 /* hash of the whole */
};
struct fr_fields {
	struct fr_map sites; /* site: object << 32 | name */
};

/* 0: it is no field. */
uint64_t fr_fields_object(struct fr_fields *f, const struct fr_model *m, fr_ev e);
/* Are they different fields of one object? */
bool fr_fields_together(struct fr_fields *f, const struct fr_model *m, fr_ev a, fr_ev b);
void fr_fields_free(struct fr_fields *f);

#endif
