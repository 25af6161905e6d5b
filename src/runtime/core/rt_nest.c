/*
 * Accesses of a nested loop (format/hook_abi.h, frt_h_nest).
 *
 * An entry whose addresses form a simple stride of elements (rows of contiguous elements, columns
 * of them, the same row each time) is recorded as one event. If some entry has no such form, or
 * entries touch common memory in an order that their bases do not determine, the code repeats the
 * outer loop and records each iteration.
 */
#include "strides.h"
#include "rt.h"

#define MAX 32 /* entries; the pass makes fewer */

static uint64_t size_of(int64_t stride)
{
	return (uint64_t)(stride < 0 ? -stride : stride);
}

/* Converts the entry to one stride, or returns false. `fixed`: record it for the
   first and the last iteration. */
static bool flatten(const struct frt_nest *x, struct frt_stride *ret)
{
	struct frt_stride s = {.base = x->base,
			       .count = x->count,
			       .stride = x->stride,
			       .elem = x->elem,
			       .site = x->site,
			       .write = x->write,
			       .times = 1};
	uint64_t row = x->inner_count * x->elem;

	if (!x->count || !x->inner_count) {
		s.count = 0;
	} else if (x->fixed || x->inner_count == 1) {
		if (x->fixed && x->stride)
			return false; /* many addresses, each touched repeatedly */
		s.fixed = x->fixed | !x->stride;
		s.count = x->count * x->inner_count;
	} else if (size_of(x->inner_stride) == x->elem) {
		if (row > UINT32_MAX)
			return false;
		if (x->inner_stride < 0)
			s.base = (const char *)x->base - (row - x->elem);
		s.elem = (uint32_t)row;
		s.fixed = !x->stride;
	} else if (size_of(x->stride) == x->elem && x->count * x->elem <= UINT32_MAX) {
		if (x->stride < 0)
			s.base = (const char *)x->base - (x->count - 1) * x->elem;
		s.elem = (uint32_t)(x->count * x->elem);
		s.count = x->inner_count;
		s.stride = x->inner_stride;
	} else if (!x->stride) {
		s.count = x->inner_count;
		s.stride = x->inner_stride;
		s.fixed = x->count > 1 ? FRT_FIXED_ALL : 0;
	} else {
		return false;
	}
	*ret = s;
	return true;
}

static void once(const struct frt_nest *x, uint64_t i)
{
	const void *at = (const char *)x->base + (int64_t)i * x->stride;

	if (i >= x->count)
		return;
	if (x->write)
		frt_h_stride_write(at, 1, 0, x->elem, x->site);
	else
		frt_h_stride_read(at, 1, 0, x->elem, x->site);
}

/* Records each iteration of the outer loop by itself. */
static void unroll(const struct frt_nest *v, uint32_t n, uint32_t from, uint32_t to,
		   const struct frt_stride_part *part, uint32_t parts)
{
	struct frt_stride in[MAX];
	uint64_t most = 0;

	for (uint32_t k = 0; k < n; k++)
		if (v[k].count > most)
			most = v[k].count;
	for (uint64_t i = 0; i < most; i++) {
		for (uint32_t k = 0; k < from; k++)
			once(&v[k], i);
		for (uint32_t k = from; k < to; k++)
			in[k - from] = (struct frt_stride){
			    .base = (const char *)v[k].base + (int64_t)i * v[k].stride,
			    .count = i < v[k].count ? v[k].inner_count : 0,
			    .stride = v[k].inner_stride,
			    .elem = v[k].elem,
			    .site = v[k].site,
			    .write = v[k].write,
			    .cls = v[k].cls,
			    .times = v[k].times,
			    .fixed = v[k].fixed};
		frt_strides(in, to - from, part, parts);
		for (uint32_t k = to; k < n; k++)
			once(&v[k], i);
	}
}

void frt_h_nest(const struct frt_nest *v, uint32_t n, uint32_t from, uint32_t to,
		const struct frt_stride_part *part, uint32_t parts)
{
	struct frt_stride flat[MAX];
	bool whole = n <= MAX;

	if (!frt_self)
		return;
	for (uint32_t k = 0; k < n && whole; k++) {
		whole = flatten(&v[k], &flat[k]);
		flat[k].cls = k;
		for (uint32_t j = 0; j < k && whole; j++)
			if (flat[j].stride == flat[k].stride && flat[j].stride) {
				flat[k].cls = flat[j].cls;
				break;
			}
	}
	if (whole && !frt_strides_tangled(flat, n))
		frt_strides_record(flat, n);
	else
		unroll(v, n, from, to, part, parts);
}
