/*
 * Records which threads touch which granules: for each granule its only thread, or that several
 * threads share it. The loader's first pass (load_scan.c) fills this table. fr_shadow_settle then
 * gives the shared granules dense numbers.
 *
 * A *border* is a granule at which an access, a lifetime or a benign range begins, or right after
 * one ends. All granules from a border to the next have the same accesses to all of their bytes, so
 * the first stands for all: only borders get numbers.
 *
 * Layout: pages of 4 KiB in a hash table. A page of one thread has a bit for each touched granule.
 *         Only when a second thread touches the page does it store an owner for each granule.
 * Cost:   a range costs a few words per page, a private page 224 bytes.
 */
#ifndef FR_MODEL_LOAD_SHADOW_H
#define FR_MODEL_LOAD_SHADOW_H

#include "base/assert.h"
#include "base/mem.h"
#include <stdbool.h>
#include <stdint.h>

#define FR_PAGE_SHIFT 12
#define FR_PAGE_GRANULES 512
#define FR_PAGE_RECENT 256
#define FR_NO_GRANULE UINT32_MAX
_Static_assert(FR_PAGE_GRANULES * 8 == 1 << FR_PAGE_SHIFT, "a granule has 8 bytes");

struct fr_page {
	uint64_t number;
	uint64_t touched[8], shared[8], border[8]; /* one bit per granule */
	uint32_t first;				   /* number of its first shared granule */
	uint16_t before[8];			   /* number of shared granules before each word */
	uint16_t owner;				   /* thread + 1; 0 = several, see `owners` */
	uint16_t *owners;			   /* thread + 1 for each granule */
};

_Static_assert(sizeof(((struct fr_page *)0)->shared) * 8 == FR_PAGE_GRANULES, "one bit each");

struct fr_shadow {
	FR_VEC(struct fr_page) page;
	uint32_t *slot; /* hash table: index of a page + 1 */
	size_t cap;
	uint32_t recent[FR_PAGE_RECENT]; /* recently found pages, by page number */
	uint32_t granules;		 /* number of shared granules, after fr_shadow_settle */
};

/* The page with this number, or NULL. Valid until a page is added. */
struct fr_page *fr_shadow_find(struct fr_shadow *s, uint64_t number);
/* Puts borders around the bytes [addr, addr + size). */
void fr_shadow_divide(struct fr_shadow *s, uint64_t addr, uint64_t size);
/* Records that a thread touches the bytes [addr, addr + size), size > 0, and puts borders around
   them. */
void fr_shadow_touch(struct fr_shadow *s, uint32_t thread, uint64_t addr, uint64_t size);
/* Numbers the shared granules at borders. From now on only these can be found. */
void fr_shadow_settle(struct fr_shadow *s);
/* Keeps only the granules with keep[number] true, and renumbers them in the same order. */
void fr_shadow_keep(struct fr_shadow *s, const bool *keep);
void fr_shadow_free(struct fr_shadow *s);

static inline struct fr_page *fr_shadow_get(struct fr_shadow *s, uint64_t number)
{
	uint32_t at = s->recent[number % FR_PAGE_RECENT];

	if (at < s->page.n && s->page.v[at].number == number)
		return &s->page.v[at];
	return fr_shadow_find(s, number);
}

/* Population count without the instruction, which not every processor has, and without a call. */
static inline uint32_t fr_bits_set(uint64_t x)
{
	x -= x >> 1 & UINT64_C(0x5555555555555555);
	x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
	x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

static inline uint32_t fr_page_granule(const struct fr_page *p, unsigned g)
{
	uint64_t word = p->shared[g >> 6];

	fr_assert_slow(g < FR_PAGE_GRANULES);
	if (!(word >> (g & 63) & 1))
		return FR_NO_GRANULE;
	return p->first + p->before[g >> 6] + fr_bits_set(word & ((UINT64_C(1) << (g & 63)) - 1));
}

static inline bool fr_bit(const uint64_t *bits, unsigned g)
{
	return bits[g >> 6] >> (g & 63) & 1;
}

/* Has this thread surely been recorded at this granule, with the same borders? May return false
   although it has. */
static inline bool fr_shadow_knows(const struct fr_shadow *s, uint32_t thread, uint64_t addr,
				   uint64_t size)
{
	uint64_t number = addr >> FR_PAGE_SHIFT;
	uint32_t at = s->recent[number % FR_PAGE_RECENT];
	unsigned g = (unsigned)(addr >> 3) & (FR_PAGE_GRANULES - 1);
	const struct fr_page *p;

	if (at >= s->page.n || s->page.v[at].number != number || (addr & 7) + size > 8 ||
	    g == FR_PAGE_GRANULES - 1)
		return false;
	p = &s->page.v[at];
	if (!fr_bit(p->border, g) || !fr_bit(p->border, g + 1))
		return false;
	return fr_bit(p->shared, g) || (p->owner == thread + 1 && fr_bit(p->touched, g)) ||
	       (p->owners && p->owners[g] == thread + 1);
}

/* The number of the granule at this address; FR_NO_GRANULE if it is not shared. */
static inline uint32_t fr_shadow_granule(struct fr_shadow *s, uint64_t addr)
{
	const struct fr_page *p = fr_shadow_get(s, addr >> FR_PAGE_SHIFT);

	return p ? fr_page_granule(p, (unsigned)(addr >> 3) & (FR_PAGE_GRANULES - 1))
		 : FR_NO_GRANULE;
}

/* Calls f(arg, granule, its address) for each shared granule in [lo, hi). Visits the pages of the
   range or all existing pages, whichever are fewer. */
typedef void fr_shadow_fn(void *arg, uint32_t granule, uint64_t addr);
void fr_shadow_walk(struct fr_shadow *s, uint64_t lo, uint64_t hi, fr_shadow_fn *f, void *arg);

#endif
