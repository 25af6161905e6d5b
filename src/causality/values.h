/*
 * Which writes of a location write a value. Made for a location when it is first asked about; only
 * for those whose writes all have the same bytes and known values, and within a limit on memory:
 * 4 bytes a write.
 */
#ifndef FR_CAUSALITY_VALUES_H
#define FR_CAUSALITY_VALUES_H

#include "causality/causality.h"

struct fr_value {
	uint64_t value;
	fr_ev write;
};
struct fr_values_loc {
	fr_ev *v; /* by value, then by place; NULL: not told */
	uint32_t n;
	uint8_t mask;
};
struct fr_values {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_map index; /* location: place in `loc` + 1 */
	FR_VEC(struct fr_values_loc) loc;
	FR_VEC(fr_ev) writes;	      /* of one location */
	FR_VEC(struct fr_value) room; /* for sorting */
	size_t total;
};

void fr_values_init(struct fr_values *x, const struct fr_model *m, const struct fr_causality *c);
void fr_values_free(struct fr_values *x);
/* The writes that write what the READ returned: true and where they are, or false: not told. */
bool fr_values_find(struct fr_values *x, fr_ev read, const fr_ev **ret, uint32_t *ret_n);

#endif
