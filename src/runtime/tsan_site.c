/*
 * Program counters as sites: a lock-free hash table from pc to site id, in memory of its own.
 *
 * Meaning:   an entry holds a pc's site id together with those bits of the pc that its place in the
 *            table does not tell, so one load decides a look-up, and entries are added by one
 *            compare-and-swap of a complete entry: safe in signal handlers.
 * Place:     neighbouring instructions have neighbouring entries: as much of the table is touched
 *            as there is code that runs.
 * Bounded:   at most MAX_SITES, none further than PROBES from its place; beyond that the site is 0
 *            and lost_sites counts it.
 */
#include "tsan.h"
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

#define TABLE_BITS 21
#define PLACE_BITS 3 /* low bits of a pc that do not count for its place */
#define PROBES	   32
#define MAX_SITES  (1u << 20)
_Static_assert(FR_SITE_PC_FIRST + MAX_SITES <= FR_SITE_MAX, "sites must fit");

/* Entry: site : 24 | distance from its place : 5 | pc : 3 low and 24 high bits. */
#define ENTRY(site, far, pc)                                                                       \
	((uint64_t)(site) << 32 | (uint64_t)(far) << 27 |                                          \
	 ((pc) >> (TABLE_BITS + PLACE_BITS) & 0xffffff) << 3 | ((pc) & 7))
#define ENTRY_SITE(e) ((uint32_t)((e) >> 32))
#define ENTRY_KEY(e)  ((uint32_t)(e))
_Static_assert(TABLE_BITS + PLACE_BITS + 24 >= FR_ADDR_BITS, "an entry must tell the whole pc");

static _Atomic(uint64_t) *_Atomic table;
static _Atomic uint32_t sites;

static _Atomic(uint64_t) *make_table(struct frt_thread *t)
{
	size_t size = sizeof(uint64_t) << TABLE_BITS;
	_Atomic(uint64_t) *none = NULL, *m;

	int saved = errno;

	t->in_wrapper++; /* not the program's mapping */
	m = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	t->in_wrapper--;
	errno = saved;
	if (m == MAP_FAILED)
		return NULL;
	if (atomic_compare_exchange_strong(&table, &none, m))
		return m;
	t->in_wrapper++;
	munmap(m, size);
	t->in_wrapper--;
	return none;
}

static inline uint64_t place(uint64_t pc)
{
	return (pc >> PLACE_BITS) + (pc >> (TABLE_BITS + PLACE_BITS)) * 0x9e3779b1u;
}

static __attribute__((noinline)) uint32_t add_site(struct frt_thread *t, uint64_t pc)
{
	_Atomic(uint64_t) *tab = atomic_load(&table);
	uint32_t n = atomic_load_explicit(&sites, memory_order_relaxed), site;

	if ((!tab && !(tab = make_table(t))) || n >= MAX_SITES || (pc & ~FR_ADDR_MASK)) {
		frt_count(FR_RTC_lost_sites, 1);
		return 0;
	}
	/* What is held comes before what is written from now on. */
	if (t->late_addr && t->tsan->late.r_site_size)
		frt_flush_late(t);
	n = atomic_fetch_add(&sites, 1);
	site = FR_SITE_PC_FIRST + n;
	for (unsigned i = 0; i < PROBES && n < MAX_SITES; i++) {
		_Atomic(uint64_t) *e = &tab[(place(pc) + i) & ((1u << TABLE_BITS) - 1)];
		uint64_t was = 0;

		if (atomic_compare_exchange_strong(e, &was, ENTRY(site, i, pc))) {
			struct fr_event ev = {.w0 = fr_w0(pc, FR_EV_PC_SITE, 0), .site = site};

			frt_put(t, &ev, 1);
			return site;
		}
		if (ENTRY_KEY(was) == ENTRY_KEY(ENTRY(0, i, pc)))
			return ENTRY_SITE(was); /* another thread was faster; its number stands */
	}
	frt_count(FR_RTC_lost_sites, 1);
	return 0;
}

uint32_t frt_pc_site(struct frt_thread *t, uintptr_t ret)
{
	_Atomic(uint64_t) *tab = atomic_load_explicit(&table, memory_order_acquire);
	uint64_t pc = (uint64_t)ret - 1;

	for (unsigned i = 0; frt_likely(tab) && i < PROBES; i++) {
		uint64_t e = atomic_load_explicit(&tab[(place(pc) + i) & ((1u << TABLE_BITS) - 1)],
						  memory_order_relaxed);

		if (frt_likely(ENTRY_KEY(e) == ENTRY_KEY(ENTRY(0, i, pc)) && e))
			return ENTRY_SITE(e);
		if (!e)
			break;
	}
	return add_site(t, pc);
}
