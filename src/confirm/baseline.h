/*
 * Controls: executions of the recorded schedule itself, with which executions of predicted
 * schedules are compared. Harm is behaviour that no control shows.
 *
 * An effect of another execution counts as harm only if it differs from the recorded run and from
 * every control:
 *
 *	sanitizer	a report whose kind and place no control has
 *	crash, assert	a signal that ended no control; of a failed assertion, its text
 *	hang		no control hung
 *	exit		an exit status or signal that no control ended with, if all of them agree
 *	output		lines of standard output that do not vary between controls
 *(fr_output_varies)
 *
 * Kinds:  an exact control gets the recorded answers from outside. A control with other answers
 *         gets made-up times and random numbers, as a thread does that leaves the recorded run:
 *         what its output shows varies with them.
 * When:   the first before a finding is blamed for anything. One with other answers when the only
 *         harm is output or exit. An exact one again after failures (executions that do harm or
 *         leave their schedule): after each power of two of them if the program changes anything
 *         outside, and at the end.
 * Not here: serial controls, which are those of one finding (serial.h).
 */
#ifndef FR_CONFIRM_BASELINE_H
#define FR_CONFIRM_BASELINE_H

#include "confirm/execution.h"

struct fr_baseline_run {
	bool other; /* with other answers */
	bool hung;
	int exit, signal;
	char *assertion; /* NULL: none */
	int out, err;	 /* what it wrote */
	size_t typed;
};

struct fr_baseline {
	FR_VEC(struct fr_baseline_run) run;
	uint32_t exact;
	bool other;	   /* one with other answers was tried */
	char *reason;	   /* why a control did not end as the recorded run did; NULL */
	uint64_t failures; /* executions that failed, so far; controls do not count */
	uint64_t checked;  /* of these, those that an exact control followed */
};

void fr_baseline_free(struct fr_baseline *b);
/* Takes over what the execution wrote. */
void fr_baseline_add(struct fr_baseline *b, struct fr_replayed *r, bool other);

/* Did a control end so? */
bool fr_baseline_signal(const struct fr_baseline *b, int signal);
bool fr_baseline_assertion(const struct fr_baseline *b, const char *text);
bool fr_baseline_hang(const struct fr_baseline *b);
/* ... or do controls, and the recorded run, end in different ways? others: those with other answers
   count. */
bool fr_baseline_exit(const struct fr_baseline *b, bool others, int exit, int signal,
		      int recorded_exit, int recorded_signal);

#endif
