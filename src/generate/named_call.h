/*
 * Atomic regions that are calls of functions that the user named, or of functions in files that the
 * user named.
 */
#ifndef FR_GENERATE_NAMED_CALL_H
#define FR_GENERATE_NAMED_CALL_H

#include "generate/generate.h"

/* From this event on, the thread is inside such a call, which begins here; or inside none. */
struct fr_named_change {
	fr_ev at;
	bool inside;
};
struct fr_named {
	FR_VEC(struct fr_named_change) * thread; /* one list per thread */
	uint32_t nthreads;
};

/* Reads the trace again. A part that cannot be read has no regions. */
void fr_named_find(struct fr_named *n, const struct fr_model *m, const struct fr_generate_opt *opt);
void fr_named_free(struct fr_named *n);
/* Does the program have a matching function or file? Also true if the program has no site table. */
bool fr_named_fits_any(const struct fr_model *m, const char *glob);

#endif
