/*
 * Asks the oracle again about a candidate whose schedule the program did not follow.
 *
 * A schedule of the relaxed tier guesses that a few reads may return other values. If one of them
 * sends the program elsewhere, that read matters. Then it must return its recorded value, and
 * another set of reads may differ. confirm/prove_again.c re-executes the program and finds these
 * reads; cmd/cmd_confirm.c connects the two.
 *
 * Failure: a schedule file whose candidate does not fit the model has no other schedule.
 */
#ifndef FR_PREDICT_ASK_AGAIN_H
#define FR_PREDICT_ASK_AGAIN_H

#include "findings/finding.h"
#include "findings/schedule_file.h"
#include "predict/analysis.h"
#include <pthread.h>

struct fr_pure;

/* Set `relax` and `pure`, and `run` if the caller has it. Initialise the lock. The rest is zero at
   first. */
struct fr_again {
	uint32_t relax;		    /* reads that matter and may differ, at most */
	const struct fr_pure *pure; /* library functions that do no harm; NULL: none */
	pthread_mutex_t lock;
	struct fr_analysis run;	      /* owned, without the model; made when it is first asked */
	struct fr_again_state *state; /* once it was asked */
};
void fr_again_free(struct fr_again *a);

/* Makes another schedule for the candidate of s, in which the n READs of `fixed` return their
   recorded values. False: there is none. Any thread may call it. arg: struct fr_again. */
bool fr_again_ask(void *arg, const struct fr_model *m, const struct fr_schedule_file *s,
		  const fr_ev *fixed, uint32_t n, struct fr_schedule_file *ret);
/* Stores the reads that differ in a schedule, which fr_again_ask made, in its finding. */
void fr_again_describe(void *arg, const struct fr_model *m, const struct fr_schedule_file *s,
		       struct fr_findings *f, struct fr_finding *x);

#endif
