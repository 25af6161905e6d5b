/*
 * Finds the writes of a location that write a given value. The index of a location is built at the
 * first query. It exists only for locations whose writes all have the same mask and known values,
 * and within a memory limit. It costs 4 bytes per write.
 */
#ifndef FR_CAUSALITY_VALUES_H
#define FR_CAUSALITY_VALUES_H

#include "causality/causality.h"

struct fr_value {
	uint64_t value;
	fr_ev write;
};
struct fr_values_loc {
	fr_ev *v; /* by value, then in recorded order; NULL: no index */
	uint32_t n;
	uint8_t mask;
};
struct fr_values {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_map index; /* location -> index into `loc` + 1 */
	FR_VEC(struct fr_values_loc) loc;
	FR_VEC(fr_ev) writes;	      /* those of one location, temporary */
	FR_VEC(struct fr_value) room; /* temporary, for sorting */
	size_t total;
};

/* Starts without any index; m and c must outlive x. */
void fr_values_init(struct fr_values *x, const struct fr_model *m, const struct fr_causality *c);
void fr_values_free(struct fr_values *x);
/* Finds the writes of the value that the READ returned. Returns false if the location has no
   index. */
bool fr_values_find(struct fr_values *x, fr_ev read, const fr_ev **ret, uint32_t *ret_n);

#endif
