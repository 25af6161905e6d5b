/* Kinds of atomic regions: the reasons why a part of a thread's run should be atomic. */
#ifndef FR_MODEL_REGION_KIND_H
#define FR_MODEL_REGION_KIND_H

#include <stdbool.h>
#include <string.h>

/* The reason why two accesses belong together, strongest first. */
#define FR_REGION_ANNOTATED "annotated region"
#define FR_REGION_NAMED "named function"
#define FR_REGION_LOCK "lock region"
#define FR_REGION_SPLIT "split lock regions"
#define FR_REGION_SET "named set"
#define FR_REGION_FIELDS "fields of one object"
#define FR_REGION_NEAR "neighbourhood"
/* Is proximity the only reason? A NULL region is no region. */
static inline bool fr_region_is_near(const char *region)
{
	return region && (!strcmp(region, FR_REGION_NEAR) || !strcmp(region, FR_REGION_FIELDS));
}

#endif
