/*
 * Calls of functions that the user named, or of functions in files so named: regions.
 */
#ifndef FR_GENERATE_NAMED_H
#define FR_GENERATE_NAMED_H

#include "generate/generate.h"

/* From this event of the thread on it is in such a call, which begins here; or in none. */
struct fr_named_change {
	fr_ev at;
	bool inside;
};
struct fr_named {
	FR_VEC(struct fr_named_change) * thread; /* of each */
	uint32_t nthreads;
};

/* Reads the trace again. What cannot be read has no regions. */
void fr_named_find(struct fr_named *n, const struct fr_model *m, const struct fr_generate_opt *opt);
void fr_named_free(struct fr_named *n);
/* Has the program a function or file that fits? true, too, if nothing is known of it. */
bool fr_named_fits_any(const struct fr_model *m, const char *glob);

#endif
