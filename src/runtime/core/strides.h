/* Accesses of loops: shared by strides.c and rt_nest.c. Do not call these when frt_self is NULL. */
#ifndef FRT_STRIDES_H
#define FRT_STRIDES_H

#include "format/hook_abi.h"
#include <stdbool.h>

/* `fixed` of an entry whose elements are all touched repeatedly, in more than one iteration. */
#define FRT_FIXED_ALL 2

/* True if some pair touches common memory in an order that bases and strides do not determine. */
bool frt_strides_tangled(const struct frt_stride *v, uint32_t n);
/* Sorts the entries and records them; not for tangled ones. */
void frt_strides_record(struct frt_stride *v, uint32_t n);
/* Records the entries, tangled or not: the work of frt_h_strides. */
void frt_strides(struct frt_stride *v, uint32_t n, const struct frt_stride_part *part,
		 uint32_t parts);

#endif
