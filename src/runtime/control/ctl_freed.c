/*
 * Freed memory that stays out of use. Where a free is an event of the finding, the program's next
 * allocation could get the same memory, and the use after the free would then look like a use of
 * another object. So this memory is not given back to the allocator. Its bytes are overwritten:
 * pointers in it cannot be used. Blocks of the size for which malloc maps pages of their own lose
 * their pages, as they do without forerun.
 *
 * A second free of such a block gives it back twice, so that the allocator gives the same report as
 * without forerun.
 */
#include "ctl_freed.h"
#include "ctl_turn.h"
#include "runtime/core/real.h"
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BLOCKS 4096
#define PAGE UINT64_C(4096)
#define MAPPED (UINT64_C(128) << 10) /* malloc maps blocks from this size on */
#define POISON 0xdf		     /* eight of them are no address */

static struct kept_block {
	uintptr_t lo, hi;
} kept[BLOCKS];
static uint32_t nkept;

void frt_ctl_frees(struct frt_thread *t, uint64_t size)
{
	if (!frt_controlled())
		return;
	frt_ctl_thread(t)->block = size;
	frt_ctl_thread(t)->keeps = false;
}

/* ---- memory that the allocator does not own ---- */

/* Is the variable of a thread, which ended at this event, still gone? Another variable may be in
   its place: one of a later call of the thread, or of another thread. */
static bool still_gone(const struct fr_control_file_seen *end)
{
	const struct frt_ctl_thread *c = &frt_ctl_threads[end->id - 1];

	frt_assert(end->id && end->id <= FR_POOL_MAX_THREADS);
	if (frt_ctl_status(c) == FR_CTL_OVER)
		return frt_ctl_count() == end->value; /* no other thread has its stack */
	return c->t->hook == end->hook || end->addr + end->size <= c->sp;
}

bool frt_ctl_meet(const struct fr_control_file_seen *a, const struct fr_control_file_seen *b)
{
	if (a->kind == FR_EV_STACK_FREE && !still_gone(a))
		return false;
	return frt_ctl_overlap(a, b);
}

/* ---- blocks of the allocator ---- */

/* Has the first event of the finding happened? */
static bool begun(void)
{
	const struct fr_control_file_before *w = &frt_ctl->before;

	return frt_ctl_free() || frt_ctl->milestones_seen ||
	       (w->n && fr_control_file_events(frt_ctl)[w->event[0].event].order);
}

bool frt_ctl_keeps(struct frt_thread *t)
{
	bool keeps;

	frt_assert(nkept <= BLOCKS);
	if (!frt_controlled() || nkept == BLOCKS)
		return false;
	keeps = frt_ctl_thread(t)->keeps || (frt_ctl->keeps_all && begun());
	frt_ctl_thread(t)->keeps = false;
	return keeps;
}

static void protect(const struct kept_block *b, int prot)
{
	uintptr_t lo = (b->lo + PAGE - 1) & ~(PAGE - 1), hi = b->hi & ~(PAGE - 1);

	if (lo < hi)
		syscall(SYS_mprotect, lo, hi - lo, prot);
}

static bool accesses(const struct fr_control_file_expect *target, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (!(fr_event_is(target[i].kind) & (FR_IS_READ | FR_IS_WRITE)))
			return false;
	return true;
}

/* Do all targets access memory? A lock in memory that was overwritten may block the thread before
   the target happens. */
static bool may_overwrite(void)
{
	const struct fr_control_file_stop *stop = fr_control_file_stops(frt_ctl);

	for (uint64_t i = 0; i < frt_ctl->nstops; i++)
		if (!accesses(stop[i].target, stop[i].ntargets))
			return false;
	return accesses(frt_ctl->target, frt_ctl->ntargets);
}

void frt_ctl_keep(void *p, size_t size)
{
	struct kept_block b = {(uintptr_t)p, (uintptr_t)p + size};

	if (!frt_ctl->keeps_all && may_overwrite()) {
		memset(p, POISON, size);
		if (size >= MAPPED)
			protect(&b, PROT_NONE);
	}
	frt_assert(nkept < BLOCKS); /* frt_ctl_keeps has checked it */
	kept[nkept++] = b;
}

void frt_ctl_keep_pages(void *p, size_t size)
{
	struct kept_block b = {(uintptr_t)p, (uintptr_t)p + size};

	protect(&b, PROT_NONE);
}

bool frt_ctl_kept(const void *p)
{
	for (uint32_t i = 0; frt_controlled() && i < nkept; i++)
		if (kept[i].lo == (uintptr_t)p)
			return true;
	return false;
}

void frt_ctl_give_back(void *p)
{
	for (uint32_t i = 0; i < nkept; i++)
		if (kept[i].lo == (uintptr_t)p) {
			protect(&kept[i], PROT_READ | PROT_WRITE);
			kept[i] = kept[--nkept];
			break;
		}
	atomic_store(&frt_ctl->freed_twice, 1);
	REAL(free)(p);
}
