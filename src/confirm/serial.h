/*
 * Serial controls of one finding: executions in which the two regions of an atomicity violation or
 * of an atomic-set violation come one after the other, in both orders.
 *
 * Meaning:   what a serial control prints and how it ends is possible without the violation. So a
 *            finding does no harm by the same output and exit status.
 * Schedule:  that of the finding, as far as it leads to the two sections (section.h); then one
 *            section, then the other; then everything goes on as after the finding's targets. The
 *            program must come by the places of the recorded run in both sections, but may find
 *            other values there. If it does not, the control says nothing.
 * Rest:      after the sections, a thread that waits, sleeps or yields within the lines of a region
 *            of any finding lets others come between: what the control shows then may be the bug
 *            itself, and it says nothing. The same is true if a thread executes so many hooks that
 *            others have to run.
 * When:      only if an execution's sole harm is its output or its exit status. Findings whose
 *            sections are the same share the controls.
 * Not here:  crashes, failed assertions, reports of sanitizers and hangs: no control excuses them.
 */
#ifndef FR_CONFIRM_SERIAL_H
#define FR_CONFIRM_SERIAL_H

#include "confirm/execution.h"
#include "confirm/section.h"
#include <pthread.h>

struct fr_serial_run {
	uint64_t key; /* of its turns */
	bool whole;   /* it came through both sections, and to its end */
	int exit, signal;
	int out, err; /* what it wrote */
};

struct fr_serial {
	pthread_mutex_t lock;
	struct fr_model *m; /* NULL: not needed yet, or it cannot be loaded */
	bool tried, able;
	struct fr_contexts contexts;
	fr_region_lines_vec regions;	  /* of all findings */
	FR_VEC(struct fr_serial_run) run; /* the last few */
	uint64_t runs;			  /* so far */
};
void fr_serial_init(struct fr_serial *s);
void fr_serial_free(struct fr_serial *s);

/* The schedule of the order in which section `first` of the finding (0: that of its first event)
   comes first. False: there is none. ret is to be cleared. */
bool fr_serial_schedule(struct fr_serial *s, const char *dir, const struct fr_sched *of,
			unsigned first, struct fr_sched *ret);

/* Executes a schedule; `heir`: the thread that goes on first. */
typedef int fr_serial_execute(void *arg, const struct fr_sched *s, uint32_t heir,
			      struct fr_replayed *ret);
/* Does a serial control of the finding print the same and end alike? */
bool fr_serial_shows(struct fr_serial *s, const char *dir, const struct fr_sched *of, bool others,
		     const struct fr_replayed *seen, fr_serial_execute *execute, void *arg);

#endif
