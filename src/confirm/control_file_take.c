/*
 * Takes the control file from a program that is over. The program under test shares the memory and
 * may have overwritten anything there. So the rest of forerun reads a private copy: the tool's part
 * is as the tool wrote it, and each number of the program's part is within its limits. Parts that
 * the program did not use are not touched: each page of the shared memory would be made for that.
 */
#include "confirm/control_file_build.h"
#include "base/assert.h"
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

static void limit_stack(struct fr_crash_stack *s)
{
	s->n = fr_min(s->n, (uint32_t)FR_CRASH_FRAMES);
}

static void limit_numbers(struct fr_control_file *c)
{
	c->stops_met = fr_min((uint64_t)c->stops_met, c->nstops);
	c->turn = fr_min((uint64_t)c->turn, c->nturns);
	c->milestones_seen = fr_min(c->milestones_seen, c->nmilestones);
	c->nmade = fr_min(c->nmade, (uint64_t)FR_CONTROL_FILE_MADE);
	c->nwaiters = fr_min(c->nwaiters, (uint32_t)FR_CONTROL_FILE_WAITERS);
	for (uint32_t i = 0; i < c->ntargets; i++)
		if (c->met[i].id > FR_POOL_MAX_THREADS)
			c->met[i].id = 0;
	limit_stack(&c->crash.stack);
	c->nfailed = fr_min(c->nfailed, (uint32_t)FR_CONTROL_FILE_FAILED);
	c->crash.assertion[FR_CRASH_TEXT - 1] = 0;
	c->world.name[FR_CONTROL_FILE_NAME - 1] = 0;
}

/* Copies the entries of the lists that the program used. npauses may exceed its list: some pauses
   are then unknown (serial.c). */
static void copy_lists(struct fr_control_file *c, const struct fr_control_file *shared)
{
	for (uint32_t i = 0; i < c->nwaiters; i++) {
		c->waiter[i] = shared->waiter[i];
		limit_stack(&c->waiter[i].stack);
	}
	for (uint32_t i = 0; i < fr_min(c->npauses, (uint32_t)FR_CONTROL_FILE_PAUSES); i++) {
		c->pause[i] = shared->pause[i];
		limit_stack(&c->pause[i].stack);
	}
	for (uint32_t i = 0; i < c->ntargets; i++) {
		uint32_t id = c->met[i].id;

		if (!id)
			continue;
		c->status[id - 1] = atomic_load(&shared->status[id - 1]);
		c->waits_for[id - 1] = atomic_load(&shared->waits_for[id - 1]);
	}
}

/* Copies the parts of the file that the program wrote. */
static void copy_parts(struct fr_control_file *c, const char *shared)
{
	const struct fr_control_file_thread *t = (const void *)(shared + c->threads_off);

	if (c->nevents)
		memcpy(fr_control_file_events(c), shared + c->events_off,
		       c->nevents * sizeof(struct fr_control_file_seen));
	if (!c->by_place)
		return;
	for (uint32_t i = 0; i < c->nthreads; i++)
		fr_control_file_threads(c)[i].left = t[i].left;
	memcpy(fr_control_file_made(c), shared + c->made_off,
	       c->nmade * sizeof(struct fr_control_file_made));
	memcpy(fr_control_file_reads(c), shared + c->reads_off,
	       fr_min(c->nreads, (uint64_t)FR_CONTROL_FILE_READS) *
		   sizeof(struct fr_control_file_read));
}

static void copy_between(struct fr_control_file *c, const char *shared, size_t from, size_t to)
{
	fr_assert(from < to && to <= sizeof(*c));
	memcpy((char *)c + from, shared + from, to - from);
}

void fr_control_file_take(struct fr_control_file_handle *f)
{
	const char *shared = (const char *)f->c;
	struct fr_control_file *c = fr_steal(f->own);

	fr_assert(c && c->ntargets <= FR_CONTROL_FILE_TARGETS &&
		  c->before.n <= FR_CONTROL_FILE_EVENTS);
	copy_between(c, shared, offsetof(struct fr_control_file, phase),
		     offsetof(struct fr_control_file, waiter));
	copy_between(c, shared, offsetof(struct fr_control_file, crash),
		     offsetof(struct fr_control_file, pause));
	limit_numbers(c);
	copy_lists(c, f->c);
	copy_parts(c, shared);
	munmap(f->c, f->size);
	f->c = c;
}
