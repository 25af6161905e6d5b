/*
 * Accesses of a loop whose order the compiler could not know: puts them in the order in which
 * they touched common locations, then records each as a stride of its own. See hooks.h.
 */
#include "hooks.h"
#include <stdbool.h>

/* Was x, an earlier entry, at a common location after y? */
static inline bool after(const struct frt_stride *x, const struct frt_stride *y)
{
	if (x->cls != y->cls)
		return false;
	return x->stride > 0 ? (uintptr_t)x->base < (uintptr_t)y->base : (uintptr_t)x->base > (uintptr_t)y->base;
}

void frt_h_strides(struct frt_stride *v, uint32_t n)
{
	/* Entries of a class need not be neighbours: each goes before all of its class that it precedes. */
	for (uint32_t i = 1; i < n; i++)
		for (uint32_t j = i; j > 0; j--) {
			struct frt_stride x = v[j];
			uint32_t k = j;

			while (k > 0 && v[k - 1].cls != x.cls)
				k--;
			if (!k || !after(&v[k - 1], &x))
				break;
			v[j] = v[k - 1];
			v[k - 1] = x;
			j = k;
		}
	for (uint32_t i = 0; i < n; i++)
		if (v[i].write)
			frt_h_stride_write(v[i].base, v[i].count, v[i].stride, v[i].elem, v[i].site);
		else
			frt_h_stride_read(v[i].base, v[i].count, v[i].stride, v[i].elem, v[i].site);
}
