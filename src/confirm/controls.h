/*
 * Controls: re-executions of the recorded schedule, with which other re-executions are compared.
 * Harm is behaviour that no control shows.
 *
 * An effect of another re-execution counts as harm only if it differs from the recorded run and
 * from every control:
 *
 *	sanitizer	a report whose error and position no control has
 *	crash, assert	a signal that ended no control; for a failed assertion, its text
 *	hang		no control hung
 *	exit		an exit status or signal that no control ended with, if all of them agree
 *	output		lines that do not vary between controls (fr_output_varies)
 *
 * Inputs:   an exact control receives the recorded inputs. A control with other inputs receives
 *           made-up times and random numbers, as a thread does that leaves the recorded run. Output
 *           that depends on them varies.
 * When:     prove.c runs an exact control before it blames a finding for anything. It runs one with
 *           other inputs if the only harm is output or exit status. It runs an exact one again
 *           after re-executions that do harm or leave their schedule: at the end, and, if the
 *           program changes anything outside, when their number is a power of two.
 * Not here: serial controls, which belong to one finding (serial.h).
 */
#ifndef FR_CONFIRM_CONTROLS_H
#define FR_CONFIRM_CONTROLS_H

#include "confirm/execution.h"

struct fr_control_run {
	bool other; /* with other inputs */
	bool hung;
	int exit, signal;
	char *assertion; /* NULL = none */
	int out, err;	 /* files with its output */
	size_t typed;
};

struct fr_controls {
	FR_VEC(struct fr_control_run) run;
	uint32_t exact;
	bool other;   /* a control with other inputs was tried */
	char *reason; /* why a control did not end like the recorded run; NULL */
	bool inputs;  /* an exact control got other inputs than the recorded run */
	bool same;    /* an exact control ended like the recorded run, with the same inputs */
	/* Re-executions so far that did harm or left their schedule, controls not counted. */
	uint64_t unlike;
	uint64_t checked; /* `unlike` before the last exact control */
};

void fr_controls_free(struct fr_controls *c);
/* Adds the result of a control. Takes over its output files. */
void fr_controls_add(struct fr_controls *c, struct fr_execution *r, bool other);

/* Did a control end with this signal, this failed assertion, a hang? */
bool fr_controls_signal(const struct fr_controls *c, int signal);
bool fr_controls_assertion(const struct fr_controls *c, const char *text);
bool fr_controls_hang(const struct fr_controls *c);
/* Did a control end with this exit status or signal, or do the controls and the recorded run end in
   different ways? others: controls with other inputs count too. */
bool fr_controls_exit(const struct fr_controls *c, bool others, int exit, int signal,
		      int recorded_exit, int recorded_signal);

#endif
