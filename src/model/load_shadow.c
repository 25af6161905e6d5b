/* The loader's table of touched memory: see load_shadow.h. */
#include "model/load_shadow.h"
#include "base/hash.h"
#include <string.h>

static size_t home(const struct fr_shadow *s, uint64_t number)
{
	return (size_t)(fr_hash_spread(number) >> 24) & (s->cap - 1);
}

static void grow(struct fr_shadow *s)
{
	s->cap = s->cap ? s->cap * 2 : 1024;
	fr_assert(!(s->cap & (s->cap - 1)) && s->page.n < s->cap);
	free(s->slot);
	s->slot = fr_xcalloc(s->cap, sizeof(*s->slot));
	for (size_t i = 0; i < s->page.n; i++) {
		size_t at = home(s, s->page.v[i].number);

		while (s->slot[at])
			at = (at + 1) & (s->cap - 1);
		s->slot[at] = (uint32_t)i + 1;
	}
}

struct fr_page *fr_shadow_find(struct fr_shadow *s, uint64_t number)
{
	if (!s->cap)
		return NULL;
	for (size_t at = home(s, number); s->slot[at]; at = (at + 1) & (s->cap - 1))
		if (s->page.v[s->slot[at] - 1].number == number) {
			s->recent[number % FR_PAGE_RECENT] = s->slot[at] - 1;
			return &s->page.v[s->slot[at] - 1];
		}
	return NULL;
}

static struct fr_page *make(struct fr_shadow *s, uint64_t number)
{
	struct fr_page *p = fr_shadow_get(s, number);
	size_t at;

	if (p)
		return p;
	if (s->page.n * 2 >= s->cap)
		grow(s);
	fr_assert(s->page.n < UINT32_MAX);
	for (at = home(s, number); s->slot[at];)
		at = (at + 1) & (s->cap - 1);
	fr_vec_push(&s->page, (struct fr_page){.number = number});
	s->slot[at] = (uint32_t)s->page.n;
	s->recent[number % FR_PAGE_RECENT] = (uint32_t)s->page.n - 1;
	return &s->page.v[s->page.n - 1];
}

/* A second thread touches the page: from now on it has an owner for each granule. */
static void split(struct fr_page *p)
{
	fr_assert(p->owner && !p->owners);
	p->owners = fr_xcalloc(FR_PAGE_GRANULES, sizeof(*p->owners));
	for (unsigned g = 0; g < FR_PAGE_GRANULES; g++)
		if (p->touched[g >> 6] >> (g & 63) & 1)
			p->owners[g] = p->owner;
	p->owner = 0;
}

/* Bits of the granules lo ... hi in word w of a page. */
static inline uint64_t bits_of(unsigned w, unsigned lo, unsigned hi)
{
	uint64_t bits = ~UINT64_C(0);

	fr_assert_slow(lo <= hi && hi < FR_PAGE_GRANULES);
	if (w == lo >> 6)
		bits &= ~UINT64_C(0) << (lo & 63);
	if (w == hi >> 6)
		bits &= ~UINT64_C(0) >> (63 - (hi & 63));
	return bits;
}

/* Records that a thread touches the granules lo ... hi of a page. */
static void touch_page(struct fr_page *p, uint16_t owner, unsigned lo, unsigned hi)
{
	fr_assert_slow(owner && !(p->owner && p->owners));
	if (!p->owner && !p->owners)
		p->owner = owner;
	if (p->owner == owner) {
		for (unsigned w = lo >> 6; w <= hi >> 6; w++)
			p->touched[w] |= bits_of(w, lo, hi);
		return;
	}
	if (!p->owners)
		split(p);
	for (unsigned w = lo >> 6; w <= hi >> 6; w++)
		for (uint64_t bits = bits_of(w, lo, hi) & ~p->shared[w]; bits; bits &= bits - 1) {
			unsigned g = w * 64 + (unsigned)__builtin_ctzll(bits);

			if (!p->owners[g])
				p->owners[g] = owner;
			else if (p->owners[g] != owner)
				p->shared[w] |= bits & -bits;
		}
}

static void divide_at(struct fr_shadow *s, uint64_t granule)
{
	struct fr_page *p = make(s, granule / FR_PAGE_GRANULES);

	p->border[granule >> 6 & 7] |= UINT64_C(1) << (granule & 63);
}

/* A partly covered granule has other accesses than the next one, so it gets a border on both
   sides. */
void fr_shadow_divide(struct fr_shadow *s, uint64_t addr, uint64_t size)
{
	uint64_t end = addr + size;

	divide_at(s, addr >> 3);
	if (addr & 7)
		divide_at(s, (addr >> 3) + 1);
	divide_at(s, end >> 3);
	if (end & 7)
		divide_at(s, (end >> 3) + 1);
}

void fr_shadow_touch(struct fr_shadow *s, uint32_t thread, uint64_t addr, uint64_t size)
{
	uint64_t g = addr >> 3, last = (addr + size - 1) >> 3;

	fr_assert(addr + size > addr && thread < UINT16_MAX);
	fr_shadow_divide(s, addr, size);
	while (g <= last) {
		uint64_t page = g / FR_PAGE_GRANULES;
		uint64_t end = fr_min(last, page * FR_PAGE_GRANULES + FR_PAGE_GRANULES - 1);

		touch_page(make(s, page), (uint16_t)(thread + 1), g % FR_PAGE_GRANULES,
			   end % FR_PAGE_GRANULES);
		g = end + 1;
	}
}

void fr_shadow_settle(struct fr_shadow *s)
{
	uint32_t n = 0;

	FR_VEC_FOREACH (p, &s->page) {
		unsigned here = 0;

		p->first = n;
		for (unsigned w = 0; w < 8; w++) {
			p->before[w] = (uint16_t)here;
			p->shared[w] &= p->border[w];
			here += (unsigned)__builtin_popcountll(p->shared[w]);
		}
		n += here;
		free(p->owners);
		p->owners = NULL;
	}
	s->granules = n;
}

void fr_shadow_keep(struct fr_shadow *s, const bool *keep)
{
	uint32_t n = 0;

	FR_VEC_FOREACH (p, &s->page)
		for (unsigned w = 0; w < 8; w++)
			for (uint64_t bits = p->shared[w]; bits; bits &= bits - 1)
				if (!keep[n++])
					p->shared[w] &= ~(bits & -bits);
	fr_assert(n == s->granules);
	fr_shadow_settle(s);
}

void fr_shadow_free(struct fr_shadow *s)
{
	FR_VEC_FOREACH (p, &s->page)
		free(p->owners);
	fr_vec_free(&s->page);
	free(s->slot);
	*s = (struct fr_shadow){0};
}

static void walk_page(const struct fr_page *p, uint64_t lo, uint64_t hi, fr_shadow_fn *f, void *arg)
{
	uint64_t base = p->number << FR_PAGE_SHIFT, end = base + (1 << FR_PAGE_SHIFT) - 1;
	unsigned first = lo > base ? (unsigned)(lo - base) >> 3 : 0;
	unsigned last = (unsigned)(fr_min(hi - 1, end) - base) >> 3;

	fr_assert(first <= last && last < FR_PAGE_GRANULES);
	for (unsigned w = first >> 6; w <= last >> 6; w++)
		for (uint64_t bits = p->shared[w] & bits_of(w, first, last); bits;
		     bits &= bits - 1) {
			unsigned g = w * 64 + (unsigned)__builtin_ctzll(bits);

			f(arg, fr_page_granule(p, g), base + 8 * g);
		}
}

void fr_shadow_walk(struct fr_shadow *s, uint64_t lo, uint64_t hi, fr_shadow_fn *f, void *arg)
{
	uint64_t first = lo >> FR_PAGE_SHIFT, last = (hi - 1) >> FR_PAGE_SHIFT;

	if (lo >= hi)
		return;
	if (last - first < s->page.n) {
		for (uint64_t n = first; n <= last; n++) {
			const struct fr_page *p = fr_shadow_get(s, n);

			if (p)
				walk_page(p, lo, hi, f, arg);
		}
		return;
	}
	FR_VEC_FOREACH (p, &s->page)
		if (p->number >= first && p->number <= last)
			walk_page(p, lo, hi, f, arg);
}
