/*
 * Accesses beyond the inlined fast path: decides what is kept, and writes it.
 *
 * Filters: private (shadow.h) and repeat: a read at a hot site of a location that several threads
 * read, which this thread has read with the same value since its last synchronisation. The repeat
 * filter can lose the second read of a read-write-read pattern at a hot site; repeat=0 turns it off.
 */
#include "access.h"
#include "emit.h"
#include "hooks.h"
#include "slow.h"
#include <time.h>

#define STAMP_EVERY  256 /* kept accesses between coarse stamps */
#define SMALL_RANGE  128 /* bytes: ranges up to this go through the cells one by one */

/* Heats the site; true if it was hot already. */
static inline bool heat(struct frt_thread *t, uint32_t site)
{
	uint8_t *h = &t->hot[site & (FRT_HOT_SITES - 1)];

	if ((int8_t)*h < 0)
		return true;
	*h = *h + 1 >= frt_filter.hot ? FRT_HOT : *h + 1;
	return false;
}

static __attribute__((noinline)) void put_stamp(struct frt_thread *t)
{
	struct timespec ts;
	struct fr_event e;

	t->stamp_in = STAMP_EVERY;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	e = (struct fr_event){
		.w0 = fr_w0(__atomic_load_n((uint64_t *)&frt_pool->stamp, __ATOMIC_RELAXED), FR_EV_STAMP, 0),
		.value = (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec};
	frt_put(t, &e, 1);
}

static inline void keep(struct frt_thread *t, struct fr_event *slots, unsigned n)
{
	if (frt_unlikely(!t->stamp_in--))
		put_stamp(t);
	frt_put_inline(t, slots, n);
}

static struct frt_repeat *repeat_entry(struct frt_thread *t, uint64_t addr)
{
	return &t->repeat[(addr >> 2 ^ addr >> 14) & (FRT_REPEATS - 1)];
}

/* Has this thread read the same here since its last synchronisation? Remembers it in any case. */
static bool repeats(struct frt_thread *t, uint64_t addr, uint64_t size, uint64_t value)
{
	struct frt_repeat *r = repeat_entry(t, addr);
	uint64_t what = addr | size << FR_ADDR_BITS, epoch = (uint64_t)t->epoch + 1;

	if (r->what == what && r->value == value && r->epoch == epoch)
		return true;
	*r = (struct frt_repeat){.what = what, .value = value, .epoch = epoch};
	return false;
}

/* One access of up to 128 bytes; slots[0] is the event. The hook has been counted. */
static inline void access(struct frt_thread *t, uint64_t addr, uint64_t size, bool write, bool hot,
			  struct fr_event *slots, unsigned n)
{
	uint64_t g = addr >> 3, end = (addr + size + 7) >> 3;
	enum frt_touch worst = frt_filter.private_ ? FRT_TOUCH_MINE : FRT_TOUCH_SHARED;

	if (frt_filter.private_)
		for (uint64_t i = g; i < end; i++) {
			enum frt_touch touch = frt_shadow_touch(t, i, write);

			if (touch > worst)
				worst = touch;
		}
	if (hot && worst == FRT_TOUCH_MINE) {
		for (uint64_t i = g; i < end; i++)
			frt_shadow_remember(i, addr, addr + size, write, t->idx, slots->site);
		return;
	}
	if (write) {
		repeat_entry(t, addr)->what = 0;
	} else if (frt_filter.repeat && repeats(t, addr, size, slots->value) && hot &&
		   worst == FRT_TOUCH_SHARED) {
		t->dropped_repeat++;
		return;
	}
	keep(t, slots, n);
}

/*
 * The commonest slow path, one granule, written out: the general one costs twice as much.
 */
FRT_PRESERVE void frt_slow_access(struct frt_thread *t, const void *addr, uint64_t value,
				  uint64_t site_access)
{
	uint32_t site = (uint32_t)(site_access >> 32);
	unsigned log2 = site_access & 7;
	bool write = site_access & FRT_SLOW_WRITE;
	struct fr_event e = {.w0 = fr_w0((uintptr_t)addr, write ? FR_EV_WRITE : FR_EV_READ, site_access & 0xff),
			     .value = value,
			     .site = site,
			     .idx = (uint32_t)t->idx};

	enum frt_touch touch = FRT_TOUCH_SHARED;
	bool hot;

	if (frt_unlikely(t->late_addr))
		frt_flush_late(t);
	hot = heat(t, site);
	if (frt_filter.private_)
		touch = frt_shadow_touch(t, frt_granule(addr), write);
	if (write)
		repeat_entry(t, (uintptr_t)addr)->what = 0;
	else if (frt_filter.repeat && repeats(t, (uintptr_t)addr, log2, value) && hot &&
		 touch == FRT_TOUCH_SHARED) {
		t->dropped_repeat++;
		return;
	}
	keep(t, &e, 1);
}

static void access_n(const void *addr, uint64_t value, uint32_t site, unsigned log2, bool write)
{
	struct frt_thread *t = frt_self;
	struct fr_event e;

	if (!t)
		return;
	e = (struct fr_event){.w0 = fr_w0((uintptr_t)addr, write ? FR_EV_WRITE : FR_EV_READ, log2),
			      .value = value,
			      .site = site,
			      .idx = (uint32_t)frt_tick(t)};
	access(t, (uintptr_t)addr, UINT64_C(1) << log2, write, heat(t, site), &e, 1);
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

/* `count` elements of `elem` bytes, `stride` apart, from `base`. */
static void range(struct frt_thread *t, bool write, uintptr_t base, uint64_t count, int64_t stride,
		  uint64_t elem, uint32_t site)
{
	uint32_t idx = (uint32_t)frt_tick(t);
	struct fr_event e[2];
	uintptr_t lo = base, hi;
	bool hot;

	if (!count || !elem)
		return;
	if (stride == (int64_t)elem) {
		elem *= count;
		count = 1;
	} else if (stride == -(int64_t)elem) {
		base -= (count - 1) * elem;
		elem *= count;
		count = 1;
	}
	lo = base;
	if (count == 1)
		stride = 0;
	else if (stride < 0)
		lo += (uintptr_t)stride * (count - 1);
	hi = lo + (uintptr_t)(stride < 0 ? -stride : stride) * (count - 1) + elem;
	hot = heat(t, site);
	do {
		/* An element's size has 32 bits: larger ranges are several events. */
		uint64_t part = elem > UINT32_MAX ? UINT32_MAX & ~UINT64_C(63) : elem;

		e[0] = (struct fr_event){
			.w0 = fr_w0(base, write ? FR_EV_RANGE_WRITE : FR_EV_RANGE_READ, 0), .site = site, .idx = idx};
		e[1] = (struct fr_event){.w0 = fr_w0(count, FR_EV_EXT, 0),
					 .value = (uint64_t)stride,
					 .site = (uint32_t)part,
					 .idx = idx};
		if (hi - lo <= SMALL_RANGE && count == 1) {
			access(t, base, part, write, hot, e, 2);
			return;
		}
		base += part;
		elem -= part;
		if (!write && frt_filter.repeat && repeats(t, lo, hi - lo, count) && hot) {
			t->dropped_repeat++;
			continue;
		}
		if (count > 1 && (stride > 1 << FRT_CHUNK_SHIFT || stride < -(1 << FRT_CHUNK_SHIFT))) {
			uintptr_t p = base - part;

			for (uint64_t i = 0; i < count; i++, p += (uintptr_t)stride)
				frt_shadow_sweep(t, p, p + part);
		} else {
			frt_shadow_sweep(t, lo, hi);
		}
		keep(t, e, 2);
	} while (elem);
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

void frt_h_stride_read(const void *base, uint64_t count, int64_t stride, uint32_t elem, uint32_t site)
{
	if (frt_self)
		range(frt_self, false, (uintptr_t)base, count, stride, elem, site);
}

void frt_h_stride_write(const void *base, uint64_t count, int64_t stride, uint32_t elem, uint32_t site)
{
	if (frt_self)
		range(frt_self, true, (uintptr_t)base, count, stride, elem, site);
}
