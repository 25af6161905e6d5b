/*
 * Serial controls of one finding: re-executions in which the two regions of an atomicity violation
 * or an atomic-set violation run one after the other, in both orders.
 *
 * Meaning:   the output and end of a serial control are possible without the violation. So the same
 *            output and exit status are no harm of the finding.
 * Schedule:  that of the finding up to the two sections (serial_section.h), then one section, then
 *            the other. Then the program continues as after the finding's targets. In both sections
 *            it must pass the recorded sites, but may see other values. If it does not pass them,
 *            the control proves nothing. If the recorded run failed inside the first section, its
 *            thread continues to where it waits or ends, and the other thread comes after it.
 * Any path:  without the violation, the second section may read other values and take another path,
 *            or none: that is how it avoids the failure. So if the recorded run failed, and the
 *            control leaves its schedule, another control prescribes the first section only.
 * Rest:      after the sections, a thread that waits, sleeps or yields within the lines of a region
 *            of any finding lets other threads come between. The control may then show the bug
 *            itself, and proves nothing. The same holds if a thread uses up its hooks
 *            (quantum), because other threads run then. If the recorded run failed, another
 *            control lets no thread sleep: a loop may contain the bug several times.
 * When:      if a re-execution's sole harm is its output or exit status; and if the recorded run
 *            failed and the re-execution fails in the same way, to see whether the program ends
 *            well without the violation. Findings with the same sections share their controls.
 * Not here:  crashes, failed assertions, sanitizer reports and hangs: no control excuses them.
 */
#ifndef FR_CONFIRM_SERIAL_H
#define FR_CONFIRM_SERIAL_H

#include "confirm/execution.h"
#include "confirm/intended_order.h"
#include "confirm/serial_section.h"
#include <pthread.h>

struct fr_serial_run {
	uint64_t key; /* hash of its turns */
	bool whole;   /* it passed both sections and reached its end */
	int exit, signal;
	int out, err; /* files with its output */
};

struct fr_serial {
	pthread_mutex_t lock;
	const struct fr_model *m; /* NULL: not needed yet */
	bool able;		  /* the regions of all findings are known */
	struct fr_contexts contexts;
	fr_region_lines_vec regions; /* of all findings */
	struct fr_intended intended;
	FR_VEC(struct fr_serial_run) run; /* the last few */
	uint64_t runs;			  /* so far */
	int good_exit;			  /* the exit status of a run that ends well */
};
void fr_serial_init(struct fr_serial *s);
void fr_serial_free(struct fr_serial *s);

/* How the program continues after a schedule. */
struct fr_serial_rest {
	uint32_t runs_first; /* the thread that continues first */
	enum fr_control_file_then then;
};
/* Runs a schedule. */
typedef int fr_serial_execute(void *arg, const struct fr_schedule_file *s,
			      const struct fr_serial_rest *rest, struct fr_execution *ret);
/* Does a serial control of the finding, run with `execute`, print the same and end alike? False if
   there is no model (m = NULL). */
bool fr_serial_shows(struct fr_serial *s, const struct fr_model *m, const char *dir,
		     const struct fr_schedule_file *of, bool others,
		     const struct fr_execution *seen, fr_serial_execute *execute, void *arg);
/* Is the other output of the finding intended (intended_order.h)? False if there is no model. */
bool fr_serial_intends(struct fr_serial *s, const struct fr_model *m, const char *dir,
		       const struct fr_schedule_file *of);

/* The recorded run failed. Does a serial control of the finding end well? *ret_first: the section
   that came first. *ret_other_path: the other thread then took any path, and nothing came
   between. */
bool fr_serial_ends_well(struct fr_serial *s, const struct fr_model *m, const char *dir,
			 const struct fr_schedule_file *of, bool others, fr_serial_execute *execute,
			 void *arg, unsigned *ret_first, bool *ret_other_path);

#endif
