/*
 * Sections of two threads, for a serial order of the two regions that a finding is about.
 *
 * Meaning:   a section is a stretch of one thread: the events of the finding, and what belongs
 *            together with them. To execute the two sections one after the other interrupts
 *            neither thread in the middle of work that the other section conflicts with.
 * Invariant: at both ends of a section its thread holds no lock, and no unit of work straddles
 *            them. Two accesses are one unit of work if both conflict with the other section, the
 *            second one is below the first in the text of the function that they have in common,
 *            no loop leads from one to the other, and no operation that waits for another thread
 *            or wakes one lies between them.
 * Loops:     an access that comes again from the same place, with the same callers, is in another
 *            pass of a loop.
 * Doubt:     accesses whose order in the text is not known are one unit. A section that gets too
 *            long is none.
 * Cost:      the trace of a thread is read again when the thread is first asked about.
 */
#ifndef FR_CONFIRM_SECTION_H
#define FR_CONFIRM_SECTION_H

#include "model/model.h"

/* Where an event of the model is. */
struct fr_context {
	uint32_t call; /* number of its callers, 0: none are known */
	uint32_t site;
	uint32_t open; /* 1 + place of the outermost lock that is held before it; 0: none is */
	uint8_t kind;  /* enum fr_event_kind; 0: the trace does not have it */
};

struct fr_context_call {
	uint32_t from; /* its caller's number */
	uint32_t site; /* where in that */
};
struct fr_contexts {
	const struct fr_model *m;
	FR_VEC(struct fr_context_call) call; /* number - 1 */
	struct fr_map index;		     /* caller and site: number */
	struct fr_context **thread;	     /* by place in the thread's list; NULL: not read yet */
};
void fr_contexts_init(struct fr_contexts *x, const struct fr_model *m);
void fr_contexts_free(struct fr_contexts *x);
/* Of a thread, by place in its list. */
const struct fr_context *fr_contexts_of(struct fr_contexts *x, uint32_t thread);

/* Lines of a function that belong together: the two ends of a region, or the calls to them. */
struct fr_region_lines {
	const char *function;
	uint32_t from, to;
};
typedef FR_VEC(struct fr_region_lines) fr_region_lines_vec;
/* Adds the region between two events of a thread, given by their hooks, unless it is there. False:
   it is not known where they are. */
bool fr_region_lines_add(struct fr_contexts *x, uint32_t thread, uint64_t first, uint64_t last,
			 fr_region_lines_vec *ret);
/* Is a call, given by the sites of its callers and its own, outermost first, in one of them? True
   if nobody knows. */
bool fr_region_lines_have(const struct fr_contexts *x, const fr_region_lines_vec *v,
			  const uint32_t *call, uint32_t n);

struct fr_serial_section {
	uint32_t thread;
	uint32_t first, end; /* [first, end), places in the thread's list */
};

/* Given the events of a finding, finds the sections. False: there are none. */
bool fr_sections_close(struct fr_contexts *x, struct fr_serial_section s[2]);
/* Is a third thread, before its event at this place, in the middle of work that a section conflicts
   with? */
bool fr_sections_disturb(struct fr_contexts *x, const struct fr_serial_section s[2],
			 uint32_t thread, uint32_t place);

#endif
