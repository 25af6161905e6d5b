/*
 * Program counters as sites: a lock-free hash table from pc to site id, in its own memory.
 *
 * Meaning:   an entry holds the site id of a pc together with the bits of the pc that its slot does
 *            not determine. So one load decides a look-up, and one compare-and-swap adds a complete
 *            entry. Both are safe in signal handlers.
 * Slot:      neighbouring instructions have neighbouring entries, so the program touches only as
 *            much of the table as it has running code.
 * Bounded:   at most MAX_SITES, none further than PROBES from its slot; beyond that the site is 0,
 *            and lost_sites counts it.
 */
#include "tsan.h"
#include "runtime/core/rt_assert.h"
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

#define PROBES 32
#define MAX_SITES (1u << 20)
_Static_assert(FR_SITE_PC_FIRST + MAX_SITES <= FR_SITE_MAX, "sites must fit");
_Static_assert(FRT_PC_BITS + FRT_PC_LOW + 24 >= FR_ADDR_BITS, "an entry must tell the whole pc");

_Static_assert(FRT_PC_LOW + 24 == 27, "the distance is above the bits of the pc");
_Static_assert(PROBES <= 1u << 5, "the distance has five bits");

_Atomic(uint64_t) *_Atomic frt_pc_table;
static _Atomic uint32_t sites;

static _Atomic(uint64_t) *make_table(struct frt_thread *t)
{
	size_t size = sizeof(uint64_t) << FRT_PC_BITS;
	_Atomic(uint64_t) *none = NULL, *m;

	int saved = errno;

	t->in_wrapper++; /* not the program's mapping */
	m = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		 -1, 0);
	t->in_wrapper--;
	errno = saved;
	if (m == MAP_FAILED)
		return NULL;
	if (atomic_compare_exchange_strong(&frt_pc_table, &none, m))
		return m;
	t->in_wrapper++;
	munmap(m, size);
	t->in_wrapper--;
	return none;
}

static uint32_t add_site(struct frt_thread *t, uint64_t pc, bool function)
{
	_Atomic(uint64_t) *tab = atomic_load(&frt_pc_table);
	uint32_t n = atomic_load_explicit(&sites, memory_order_relaxed), site;

	if ((!tab && !(tab = make_table(t))) || n >= MAX_SITES || (pc & ~FR_ADDR_MASK)) {
		frt_count(FR_RTC_lost_sites, 1);
		return 0;
	}
	/* A held read comes before the events that are written from now on. */
	if (t->announced_addr && t->tsan->announced.r_site_size)
		frt_flush_announced(t);
	n = atomic_fetch_add(&sites, 1);
	site = FR_SITE_PC_FIRST + n;
	for (unsigned i = 0; i < PROBES && n < MAX_SITES; i++) {
		_Atomic(uint64_t) *e = &tab[frt_pc_entry(pc, i)];
		uint64_t was = 0;

		if (atomic_compare_exchange_strong(e, &was,
						   (uint64_t)site << 32 | FRT_PC_KEY(i, pc))) {
			struct fr_event ev = {.w0 = fr_w0(pc, FR_EV_PC_SITE, function),
					      .site = site};

			frt_put(t, &ev, 1);
			return site;
		}
		frt_assert(was >> 32 >= FR_SITE_PC_FIRST);
		if ((uint32_t)was == FRT_PC_KEY(i, pc))
			return (uint32_t)(was >>
					  32); /* another thread was faster; its number stands */
	}
	frt_count(FR_RTC_lost_sites, 1);
	return 0;
}

uint32_t frt_pc_site_slow(struct frt_thread *t, uint64_t pc, bool function)
{
	_Atomic(uint64_t) *tab = atomic_load(&frt_pc_table);

	for (unsigned i = 0; tab && i < PROBES; i++) {
		uint64_t e = atomic_load_explicit(&tab[frt_pc_entry(pc, i)], memory_order_relaxed);

		if (!e)
			break;
		if ((uint32_t)e == FRT_PC_KEY(i, pc))
			return (uint32_t)(e >> 32);
	}
	return add_site(t, pc, function);
}
