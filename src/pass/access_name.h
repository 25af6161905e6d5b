/*
 * Names found at the start of the pipeline and kept for its end: as metadata of the access, and by
 * source location for accesses that the optimiser has made anew.
 */
#ifndef FR_PASS_ACCESS_NAME_H
#define FR_PASS_ACCESS_NAME_H

#include "ditype.h"

/* Metadata kind: !{name, type} or, for a copy, !{name, type, source's name, source's type}. */
#define FR_NAME_MD "forerun.name"

/* The name that all accesses at this location have (of this size, or of any size for 0), or NULL.
   For FR_NAME_CALL: the text of sync_name.h that all calls there have. */
#define FR_NAME_CALL UINT32_MAX
struct fr_access_name {
	char *name, *type;
};
const struct fr_access_name *fr_name_at(fr_md loc, bool write, uint64_t size);

#endif
