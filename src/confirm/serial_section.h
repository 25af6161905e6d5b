/*
 * Sections of two threads, from which serial.c builds a serial order of a finding's two regions.
 *
 * Meaning:   a section is a stretch of one thread: the finding's events, and the work to which they
 *            belong. Running the two sections one after the other interrupts neither thread in the
 *            middle of work that conflicts with the other section.
 * Invariant: at both ends of a section its thread holds no lock, and no unit of work crosses them.
 *            Two accesses form one unit of work if both conflict with the other section, the second
 *            is below the first in the text of their common function, no loop leads from one to the
 *            other, and no operation between them waits for another thread or wakes one.
 * Loops:     an access that comes again from the same site, with the same callers, belongs to
 *            another iteration of a loop.
 * Doubt:     accesses whose order in the text is unknown form one unit. There is no section if it
 *            would get too long.
 * Cost:      a thread's trace is read again, for call stacks, when the thread is first asked about.
 */
#ifndef FR_CONFIRM_SERIAL_SECTION_H
#define FR_CONFIRM_SERIAL_SECTION_H

#include "model/lock_role.h"

/* The context of an event of the model. */
struct fr_context {
	uint32_t call; /* number of its chain of callers, 0 = unknown */
	uint32_t site;
	uint32_t open; /* 1 + position of the outermost lock held before it; 0 = none */
};

struct fr_context_call {
	uint32_t from; /* number of the caller's chain */
	uint32_t site; /* site of the call in the caller */
};
struct fr_contexts {
	const struct fr_model *m;
	struct fr_lock_roles locks;
	FR_VEC(struct fr_context_call) call; /* by number - 1 */
	struct fr_map index;		     /* caller and site -> number */
	struct fr_context **thread;	     /* by position in the thread; NULL = not read yet */
};
void fr_contexts_init(struct fr_contexts *x, const struct fr_model *m);
void fr_contexts_free(struct fr_contexts *x);
/* Returns the contexts of a thread, by position in its list of events. After the last one, `open`
   says whether the thread ended with a lock held. */
const struct fr_context *fr_contexts_of(struct fr_contexts *x, uint32_t thread);

/* Lines of a function that form a region: from one end of the region to the other, or between the
   calls that contain them. */
struct fr_region_lines {
	const char *function;
	uint32_t from, to;
};
typedef FR_VEC(struct fr_region_lines) fr_region_lines_vec;
/* Adds the region between two events of a thread, given by their hooks, unless it is known already.
   False: their lines are unknown. */
bool fr_region_lines_add(struct fr_contexts *x, uint32_t thread, uint64_t first, uint64_t last,
			 fr_region_lines_vec *ret);
/* Is a call in one of the regions? `call` holds the sites of its callers and its own, outermost
   first. True if unknown. */
bool fr_region_lines_have(const struct fr_contexts *x, const fr_region_lines_vec *v,
			  const uint32_t *call, uint32_t n);

struct fr_serial_section {
	uint32_t thread;
	uint32_t first, end; /* [first, end): positions in the thread's list */
};

/* Given the events of a finding in s, widens them to sections. False: there are none. */
bool fr_sections_close(struct fr_contexts *x, struct fr_serial_section s[2]);
/* Is a third thread, before its event at this position, inside work that a section disturbs? */
bool fr_sections_disturb(struct fr_contexts *x, const struct fr_serial_section s[2],
			 uint32_t thread, uint32_t position);

#endif
