/*
 * Accesses beyond the inlined fast path: decides which are kept, and writes them.
 *
 * Filters: private (shadow.h) and repeat. The repeat filter drops a read at a hot site if several
 * threads read the bytes, no thread has written them since, and this thread has already read them
 * since its last synchronisation. It can lose the second read of a read-write-read pattern at a hot
 * site; repeat=0 turns it off.
 */
#include "rt_access.h"
#include "rt_branch.h"
#include "emit.h"
#include "format/hook_abi.h"
#include "rt_interrupt.h"
#include "mapped.h"
#include "slow.h"

#define SMALL_RANGE 128 /* bytes: ranges up to this size use the cells one by one */

/* Counts an execution of the site; true if it was hot already. */
static inline bool heat(struct frt_thread *t, uint32_t site)
{
	uint8_t *h = &t->hot[site & (FRT_HOT_SITES - 1)];

	if ((int8_t)*h < 0)
		return true;
	*h = *h + 1 >= frt_filter.hot ? FRT_HOT : *h + 1;
	return false;
}

static inline void keep(struct frt_thread *t, struct fr_event *slots, unsigned n)
{
	_Static_assert(!(FR_EV_READ & 1) && FR_EV_WRITE & 1 && !(FR_EV_RANGE_READ & 1) &&
			   FR_EV_RANGE_WRITE & 1,
		       "the lowest bit tells reads from writes");
	if (!(slots->w0 >> 48 & 1))
		frt_branch_next = frt_filter.branch;
	frt_put_inline(t, slots, n);
	/* After the event: the access was before this stamp, the next one will be after it. */
	if (frt_unlikely(!t->stamp_in--))
		frt_put_stamp(t, frt_stamp_now());
}

/* True if this thread has read this range since its last synchronisation.
   Remembers it in any case. */
static bool range_repeats(struct frt_thread *t, uint64_t addr, uint64_t size, uint64_t count)
{
	struct frt_repeat *r =
	    &t->repeat[(addr + size * 31) * UINT64_C(0x9e3779b97f4a7c15) >> 56 & (FRT_REPEATS - 1)];
	uint64_t epoch = (uint64_t)t->epoch + 1;

	size |= count << 40;
	if (r->addr == addr && r->size == size && r->epoch == epoch)
		return true;
	*r = (struct frt_repeat){.addr = addr, .size = size, .epoch = epoch};
	return false;
}

/* Drops the access if only this thread has touched all of the memory. The site is hot. */
static inline bool drop_private(struct frt_thread *t, uint64_t hook, uint64_t addr, uint64_t size,
				bool write, uint32_t site)
{
	uint64_t g = addr >> 3, end = (addr + size + 7) >> 3;

	for (uint64_t i = g; i < end; i++) {
		const struct frt_cell *c = &t->shadow[frt_cell_index(i)];

		if ((__atomic_load_n(&c->key, __ATOMIC_RELAXED) ^ (i | t->owner)) << 1)
			return false;
	}
	for (uint64_t i = g; i < end; i++)
		frt_shadow_remember(t, hook, i, addr, addr + size, write, site);
	return true;
}

/* One access of up to 128 bytes; slots[0] is the event. The hook has been counted. */
static void put_access(struct frt_thread *t, uint64_t hook, uint64_t addr, uint64_t size,
		       bool write, bool hot, struct fr_event *slots, unsigned n)
{
	uint64_t g = addr >> 3, end = (addr + size + 7) >> 3, hi = addr + size;
	enum frt_touch worst = FRT_TOUCH_MINE, best = FRT_TOUCH_KEEP;

	if (!frt_shadow_on()) {
		keep(t, slots, n);
		return;
	}
	for (uint64_t i = g; i < end; i++) {
		enum frt_touch touch =
		    frt_shadow_touch(t, i, write ? 0 : frt_granule_bytes(i, addr, hi));

		if (touch > worst)
			worst = touch;
		if (touch < best)
			best = touch;
	}
	if (!hot || worst != best || worst == FRT_TOUCH_KEEP) {
		keep(t, slots, n);
		return;
	}
	if (worst == FRT_TOUCH_REPEAT) {
		t->dropped_repeat++;
		return;
	}
	for (uint64_t i = g; i < end; i++)
		frt_shadow_remember(t, hook, i, addr, hi, write, slots->site);
}

/* One granule. `hook` has been counted. */
static inline void access_at(struct frt_thread *t, uint64_t hook, const void *addr, uint64_t value,
			     uint64_t site_access, bool may_drop)
{
	uint32_t site = (uint32_t)(site_access >> 32);
	unsigned log2 = site_access & 7;
	bool write = site_access & FRT_SLOW_WRITE;
	struct fr_event e = {
	    .w0 = fr_w0((uintptr_t)addr, write ? FR_EV_WRITE : FR_EV_READ, site_access & 0xff),
	    .value = value,
	    .site = site,
	    .hook = (uint32_t)hook};

	if (frt_unlikely(t->announced_addr))
		frt_flush_announced(t);
	put_access(t, hook, (uintptr_t)addr, UINT64_C(1) << log2, write, heat(t, site) && may_drop,
		   &e, 1);
}

void frt_access_kept(struct frt_thread *t, uint64_t hook, const void *addr, uint64_t value,
		     uint64_t site_access)
{
	if (!frt_filter.discard)
		access_at(t, hook, addr, value, site_access, false);
}

/* One granule that the fast paths did not drop. */
static FRT_PRESERVE void keep_access(struct frt_thread *t, const void *addr, uint64_t value,
				     uint64_t site_access)
{
	access_at(t, frt_interrupt_counted(t), addr, value, site_access, true);
}

/* The second most frequent case after the inlined path: a repeated read of memory that several
   threads read. A leaf function that touches few registers, so that the call is cheap. */
FRT_PRESERVE void frt_slow_access(struct frt_thread *t, const void *addr, uint64_t value,
				  uint64_t site_access)
{
	uint64_t g = frt_granule(addr);
	const struct frt_cell *c = &t->shadow[frt_cell_index(g)];

	if (frt_unlikely(frt_filter.discard))
		return;
	if (!(site_access & FRT_SLOW_WRITE) && c->key == (g | FRT_READERS << FRT_GRANULE_BITS) &&
	    (int8_t)t->hot[site_access >> 32 & (FRT_HOT_SITES - 1)] < 0 && frt_filter.repeat) {
		uint32_t bytes = ((2u << ((1u << (site_access & 7)) - 1)) - 1)
				 << ((uintptr_t)addr & 7);
		uint32_t was = c->reader[t->id & 3];

		if (!((was ^ frt_reader(t->id, t->epoch, 0)) >> 8) &&
		    (was & bytes & 0xff) == bytes) {
			t->dropped_repeat++;
			return;
		}
	}
	keep_access(t, addr, value, site_access);
}

static void access_n(const void *addr, uint64_t value, uint32_t site, unsigned log2, bool write)
{
	struct frt_thread *t = frt_self;
	uint64_t size = UINT64_C(1) << log2;
	struct fr_event e;
	uint64_t hook;
	bool hot, first;

	if (!t)
		return;
	first = write && frt_write_first(t);
	e = (struct fr_event){.w0 = fr_w0((uintptr_t)addr, write ? FR_EV_WRITE : FR_EV_READ, log2),
			      .value = value,
			      .site = site};
	hook = first ? t->hook + 1 : frt_tick(t, e.w0, value, site);
	e.hook = (uint32_t)hook;
	if (frt_filter.discard)
		return;
	hot = heat(t, site);
	if (!hot || !drop_private(t, hook, (uintptr_t)addr, size, write, site))
		put_access(t, hook, (uintptr_t)addr, size, write, hot, &e, 1);
	if (first)
		frt_tick(t, e.w0, value, site);
}

void frt_h_read16(const void *addr, uint64_t lo, uint64_t hi, uint32_t site)
{
	access_n(addr, fr_value16(lo, hi), site, 4, false);
}

void frt_h_write16(const void *addr, uint64_t lo, uint64_t hi, uint32_t site)
{
	access_n(addr, fr_value16(lo, hi), site, 4, true);
}

void frt_h_read_u(const void *addr, uint64_t value, uint32_t site, uint32_t size)
{
	access_n(addr, value, site, (unsigned)__builtin_ctz(size), false);
}

void frt_h_write_u(const void *addr, uint64_t value, uint32_t site, uint32_t size)
{
	access_n(addr, value, site, (unsigned)__builtin_ctz(size), true);
}

/* A range too large for the cells: empties them and is kept. [lo, hi) covers the whole range. */
static void keep_range(struct frt_thread *t, bool write, uintptr_t base, uint64_t count,
		       int64_t stride, uint64_t elem, uintptr_t lo, uintptr_t hi,
		       struct fr_event e[2])
{
	if (count > 1 && (stride > 1 << FRT_CHUNK_SHIFT || stride < -(1 << FRT_CHUNK_SHIFT))) {
		uintptr_t at = base;

		for (uint64_t i = 0; i < count; i++, at += (uintptr_t)stride)
			frt_shadow_sweep(t, at, at + elem);
	} else {
		frt_shadow_sweep(t, lo, hi);
	}
	/* The size of an element has 32 bits: a larger range becomes several events. */
	for (; elem > UINT32_MAX; elem -= UINT32_MAX & ~63u, base += UINT32_MAX & ~63u) {
		e[0].w0 = fr_w0(base, write ? FR_EV_RANGE_WRITE : FR_EV_RANGE_READ, 0);
		e[1].site = UINT32_MAX & ~63u;
		keep(t, e, 2);
	}
	e[0].w0 = fr_w0(base, write ? FR_EV_RANGE_WRITE : FR_EV_RANGE_READ, 0);
	e[1].site = (uint32_t)elem;
	keep(t, e, 2);
}

/* `count` elements of `elem` bytes, `stride` apart, from `base`. */
static void range(struct frt_thread *t, bool write, uintptr_t base, uint64_t count, int64_t stride,
		  uint64_t elem, uint32_t site)
{
	uint64_t w0, span, hook;
	uintptr_t low, lo, hi;
	struct fr_event e[2];
	bool hot;

	if (frt_unlikely(elem > FRT_HUGE_RANGE))
		elem = frt_mapped((const void *)base, elem);
	span = (uint64_t)(stride < 0 ? -stride : stride) * (count - !!count) + elem;
	low = base + (stride < 0 && count ? (uintptr_t)stride * (count - 1) : 0);
	w0 = fr_w0(low, write ? FR_EV_RANGE_WRITE : FR_EV_RANGE_READ, 0);
	hook = frt_tick(t, w0, count ? span : 0, site);
	if (!count || !elem || frt_filter.discard)
		return;
	if (count > 1 && (stride == (int64_t)elem || stride == -(int64_t)elem)) {
		base -= stride < 0 ? (count - 1) * elem : 0;
		elem *= count;
		count = 1;
	}
	if (count == 1)
		stride = 0;
	hot = heat(t, site);
	if (count == 1 && elem <= SMALL_RANGE && hot &&
	    drop_private(t, hook, base, elem, write, site))
		return;
	e[0] = (struct fr_event){.w0 = fr_w0(base, write ? FR_EV_RANGE_WRITE : FR_EV_RANGE_READ, 0),
				 .site = site,
				 .hook = (uint32_t)hook};
	e[1] = (struct fr_event){.w0 = fr_w0(count, FR_EV_EXT, 0),
				 .value = (uint64_t)stride,
				 .site = (uint32_t)elem,
				 .hook = (uint32_t)hook};
	if (count == 1 && elem <= SMALL_RANGE) {
		put_access(t, hook, base, elem, write, hot, e, 2);
		return;
	}
	lo = base + (stride < 0 ? (uintptr_t)stride * (count - 1) : 0);
	hi = lo + (uintptr_t)(stride < 0 ? -stride : stride) * (count - 1) + elem;
	if (!write && frt_filter.repeat && range_repeats(t, lo, hi - lo, count) && hot) {
		t->dropped_repeat++;
		return;
	}
	keep_range(t, write, base, count, stride, elem, lo, hi, e);
}

void frt_range(struct frt_thread *t, bool write, const void *addr, uint64_t size, uint32_t site)
{
	range(t, write, (uintptr_t)addr, 1, 0, size, site);
}

void frt_h_range_read(const void *addr, uint64_t n, uint32_t site)
{
	if (frt_self)
		range(frt_self, false, (uintptr_t)addr, 1, 0, n, site);
}

void frt_h_range_write(const void *addr, uint64_t n, uint32_t site)
{
	if (frt_self)
		range(frt_self, true, (uintptr_t)addr, 1, 0, n, site);
}

void frt_h_stride_read(const void *base, uint64_t count, int64_t stride, uint32_t elem,
		       uint32_t site)
{
	if (frt_self)
		range(frt_self, false, (uintptr_t)base, count, stride, elem, site);
}

void frt_h_stride_write(const void *base, uint64_t count, int64_t stride, uint32_t elem,
			uint32_t site)
{
	if (frt_self)
		range(frt_self, true, (uintptr_t)base, count, stride, elem, site);
}
