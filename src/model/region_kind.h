/* Kinds of atomic regions: the reasons why a part of a thread's run should be atomic. */
#ifndef FR_MODEL_REGION_KIND_H
#define FR_MODEL_REGION_KIND_H

#include <stdbool.h>
#include <stddef.h>

/* X(NAME, "name"), the strongest reason first. SET, FIELDS and JOINED exist for units of work only.
   OUTER: a lock region, but something else than that lock protects the locations (describe.c). */
#define FR_REGIONS(X)                     \
	X(ANNOTATED, "annotated region")  \
	X(NAMED, "named function")        \
	X(LOCK, "lock region")            \
	X(OUTER, "outer lock region")     \
	X(SPLIT, "split lock regions")    \
	X(SET, "named set")               \
	X(FIELDS, "fields of one object") \
	X(JOINED, "joined locations")     \
	X(NEAR, "neighbourhood")

enum fr_region {
	FR_REGION_NONE,
#define FR_X(n, s) FR_REGION_##n,
	FR_REGIONS(FR_X)
#undef FR_X
	    FR_REGION_COUNT
};
_Static_assert(FR_REGION_ANNOTATED <= FR_REGION_LOCK && FR_REGION_NAMED <= FR_REGION_LOCK &&
		   FR_REGION_OUTER > FR_REGION_LOCK,
	       "fr_region_is_bracketed");
/* NULL for FR_REGION_NONE. */
extern const char *const fr_region_name[];

/* Does the program itself bracket the region: by an annotation, a function or a lock? */
static inline bool fr_region_is_bracketed(enum fr_region r)
{
	return r != FR_REGION_NONE && r <= FR_REGION_LOCK;
}

/* Is nearness, or how another thread uses the locations, the only reason? */
static inline bool fr_region_is_near(enum fr_region r)
{
	return r == FR_REGION_NEAR || r == FR_REGION_FIELDS || r == FR_REGION_JOINED;
}

#endif
