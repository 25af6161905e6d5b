/* Accesses of loops: what strides.c and rt_nest.c share. None of it for a NULL frt_self. */
#ifndef FRT_STRIDES_H
#define FRT_STRIDES_H

#include "format/hook_abi.h"
#include <stdbool.h>

/* `fixed` of an entry all of whose elements are touched again and again, in more than one
 * iteration. */
#define FRT_FIXED_ALL 2

/* Does any pair touch common locations in an order that bases and strides do not tell? */
bool frt_strides_tangled(const struct frt_stride *v, uint32_t n);
/* Puts them in order and records them; not for tangled ones. */
void frt_strides_record(struct frt_stride *v, uint32_t n);
/* The one or the other: all that frt_h_strides does. */
void frt_strides(struct frt_stride *v, uint32_t n, const struct frt_stride_part *part,
		 uint32_t parts);

#endif
