/*
 * Old pointers. A thread reads a pointer to an object, and uses the object. In the recorded run the
 * pointer was new: another thread had replaced the pointer to an older object, and freed that one.
 * If the read comes before the replacement, and the use after the free, the thread uses the older
 * object, which no longer exists. The recorded run contains no access of this thread to the older
 * object; the new one may even have got its address.
 */
#ifndef FR_GENERATE_OLD_POINTER_H
#define FR_GENERATE_OLD_POINTER_H

#include "causality/causality.h"

struct fr_stale {
	fr_ev read;
	fr_ev old;  /* the write that stored the pointer to the older object */
	fr_ev next; /* the next write to that location */
	fr_ev free; /* of the older object */
	fr_ev use;  /* of the newer object; shall be one of the older */
};

/* Calls `found` for each of them. Returns the number of searches that a limit ended. */
uint64_t fr_stale_find(const struct fr_model *m, const struct fr_causality *c,
		       void (*found)(void *arg, const struct fr_stale *s), void *arg);

#endif
