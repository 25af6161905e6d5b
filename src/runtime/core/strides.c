/*
 * Accesses of a loop whose order the compiler could not know (format/hook_abi.h, frt_h_strides).
 *
 * Of two entries with one stride, the one whose base is further on came first at any common
 * address. Entries without common addresses may have any order. Where entries of different strides
 * overlap, the code repeats the loop and records each iteration.
 */
#include "strides.h"
#include "rt.h"

static void record(const struct frt_stride *v, uint64_t from, uint64_t count)
{
	const void *base = (const char *)v->base + (int64_t)from * v->stride;

	if (!count)
		return;
	if (v->write)
		frt_h_stride_write(base, count, v->stride, v->elem, v->site);
	else
		frt_h_stride_read(base, count, v->stride, v->elem, v->site);
}

static void extent(const struct frt_stride *v, uintptr_t *lo, uintptr_t *hi)
{
	uintptr_t first = (uintptr_t)v->base, last = first + (uintptr_t)v->stride * (v->count - 1);

	*lo = first < last ? first : last;
	*hi = (first < last ? last : first) + v->elem;
}

/* True if the two touch common memory in an order that their bases do not determine. */
static bool tangled(const struct frt_stride *x, const struct frt_stride *y)
{
	uintptr_t xlo, xhi, ylo, yhi, d, stride;

	if (!(x->write | y->write) || !x->count || !y->count)
		return false;
	if (x->fixed && y->fixed && x->base == y->base && x->elem == y->elem &&
	    x->stride == y->stride)
		return false; /* in the order of the body, in the first iteration and in the last */
	extent(x, &xlo, &xhi);
	extent(y, &ylo, &yhi);
	if (xhi <= ylo || yhi <= xlo)
		return false;
	if (x->cls != y->cls)
		return true;
	stride = (uintptr_t)(x->stride < 0 ? -x->stride : x->stride);
	if (x->elem > stride || y->elem > stride)
		return true; /* several iterations touch one address */
	if (x->base == y->base)
		return false; /* one iteration touches each address, in the order of the body */
	/* Within one iteration the order of the body counts, not that of the bases. */
	d = xlo < ylo ? ylo - xlo : xlo - ylo;
	return d % stride && d % stride < (xlo < ylo ? x : y)->elem;
}

bool frt_strides_tangled(const struct frt_stride *v, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		for (uint32_t j = 0; j < i; j++)
			if (tangled(&v[j], &v[i]))
				return true;
	return false;
}

static void replay(const struct frt_stride *v, const struct frt_stride_part *part, uint32_t parts)
{
	bool more = true;

	for (uint64_t i = 0; more; i++) {
		more = false;
		for (uint32_t k = 0; k < parts; k++) {
			struct frt_stride x = v[part[k].entry];
			uint64_t at = i * x.times;

			if (at >= x.count)
				continue;
			x.base = (const char *)x.base + part[k].off;
			x.elem = part[k].size;
			record(&x, at, 1);
			more = true;
		}
	}
}

/* True if x, an earlier entry, touched a common address after y. */
static inline bool after(const struct frt_stride *x, const struct frt_stride *y)
{
	return x->stride > 0
	    ? (uintptr_t)x->base<(uintptr_t)y->base : (uintptr_t)x->base>(uintptr_t) y->base;
}

/* Sorts the entries of each class among themselves; they need not be neighbours. */
static void sort(struct frt_stride *v, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		for (uint32_t j = i; j > 0;) {
			struct frt_stride x = v[j];
			uint32_t k = j;

			while (k > 0 && v[k - 1].cls != x.cls)
				k--;
			if (!k || !after(&v[k - 1], &x))
				break;
			v[j] = v[k - 1];
			v[k - 1] = x;
			j = k - 1;
		}
}

void frt_strides_record(struct frt_stride *v, uint32_t n)
{
	sort(v, n);
	for (uint32_t i = 0; i < n; i++)
		if (v[i].fixed && v[i].count)
			record(&v[i], 0, v[i].fixed == FRT_FIXED_ALL ? v[i].count : 1);
	for (uint32_t i = 0; i < n; i++)
		if (!v[i].fixed || v[i].fixed == FRT_FIXED_ALL)
			record(&v[i], 0, v[i].count);
		else if (v[i].count > 1)
			record(&v[i], 0, 1);
}

void frt_strides(struct frt_stride *v, uint32_t n, const struct frt_stride_part *part,
		 uint32_t parts)
{
	if (frt_strides_tangled(v, n))
		replay(v, part, parts);
	else
		frt_strides_record(v, n);
}

void frt_h_strides(struct frt_stride *v, uint32_t n, const struct frt_stride_part *part,
		   uint32_t parts)
{
	if (frt_self)
		frt_strides(v, n, part, parts);
}
