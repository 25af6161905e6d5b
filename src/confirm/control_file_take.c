/*
 * Takes the control file from a program that is over. The program under test shares the memory and
 * may have overwritten anything there. So the rest of forerun reads a private copy: the tool's part
 * is as the tool wrote it, and each number of the program's part is within its limits.
 */
#include "confirm/control_file_build.h"
#include "base/assert.h"
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

static void limit_stack(struct fr_crash_stack *s)
{
	s->n = fr_min(s->n, (uint32_t)FR_CRASH_FRAMES);
}

/* fr_control_file.npauses may exceed its array: some pauses are then unknown (serial.c). */
static void limit_numbers(struct fr_control_file *c)
{
	c->stops_met = fr_min((uint64_t)c->stops_met, c->nstops);
	c->turn = fr_min((uint64_t)c->turn, c->nturns);
	c->keys_seen = fr_min(c->keys_seen, c->nkeys);
	c->nmade = fr_min(c->nmade, (uint64_t)FR_CONTROL_FILE_MADE);
	c->nwaiters = fr_min(c->nwaiters, (uint32_t)FR_CONTROL_FILE_WAITERS);
	for (uint32_t i = 0; i < c->ntargets; i++)
		if (c->met[i].id > FR_POOL_MAX_THREADS)
			c->met[i].id = 0;
	for (uint32_t i = 0; i < FR_CONTROL_FILE_WAITERS; i++)
		limit_stack(&c->waiter[i].stack);
	for (uint32_t i = 0; i < FR_CONTROL_FILE_PAUSES; i++)
		limit_stack(&c->pause[i].stack);
	limit_stack(&c->crash.stack);
	c->nfailed = fr_min(c->nfailed, (uint32_t)FR_CONTROL_FILE_FAILED);
	c->crash.assertion[FR_CRASH_TEXT - 1] = 0;
	c->world.name[FR_CONTROL_FILE_NAME - 1] = 0;
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
	memcpy(fr_control_file_made(c), shared + c->made_off, c->input_off - c->made_off);
}

void fr_control_file_take(struct fr_control_file_handle *f)
{
	const size_t seen = offsetof(struct fr_control_file, phase);
	const char *shared = (const char *)f->c;
	struct fr_control_file *c = fr_steal(f->own);

	fr_assert(c && c->ntargets <= FR_CONTROL_FILE_TARGETS &&
		  c->before.n <= FR_CONTROL_FILE_EVENTS);
	memcpy((char *)c + seen, shared + seen, sizeof(*c) - seen);
	copy_parts(c, shared);
	limit_numbers(c);
	munmap(f->c, f->size);
	f->c = c;
}
