/*
 * The failure of the recorded run: a finding of its own, seen by forerun and so confirmed. The run
 * crashed, failed an assertion, was reported by a sanitizer, hung, or did not exit as the user
 * expects. Its events say where each thread was at the end, and what it waited for.
 *
 * Not a failure: the user asked forerun to end the program, another process sent the signal, or a
 * signal that is no crash (SIGTERM, SIGPIPE, SIGKILL, ...) ended it, unless the user expects an exit
 * status.
 *
 * Use: fr_failure_open, fr_failure_want before fr_hook_stacks_pass, then fr_failure_describe.
 * predict_save.c is the caller.
 */
#ifndef FR_PREDICT_FAILURE_H
#define FR_PREDICT_FAILURE_H

#include "predict/describe.h"

#define FR_FAILURE_THREADS 64 /* threads that the finding shows */

/* The end of one thread. */
struct fr_failure_thread {
	uint32_t thread;       /* of the model */
	struct fr_event last;  /* its last hook, or FR_EV_PENDING: what it waits for */
	struct fr_stack stack; /* at that time; empty: not known */
};

struct fr_failure {
	enum fr_harm harm; /* FR_HARM_NOT_KNOWN: the run did not fail */
	char *report;	   /* the text of an assertion or report; NULL: none */
	/* threads that had not ended, the failing one first */
	FR_VEC(struct fr_failure_thread) thread;
	uint32_t left_out; /* further threads */
};

/* Decides whether the run failed, and looks for the last event of each thread. */
int fr_failure_open(const struct fr_model *m, struct fr_failure *ret, struct fr_err *reterr);
void fr_failure_free(struct fr_failure *f);
/* Asks for the call stacks of the locks that threads held. */
void fr_failure_want(const struct fr_failure *f, struct fr_describer *d);
/* Adds the finding to d->f, without id. Only for a run that failed. */
struct fr_finding *fr_failure_describe(const struct fr_failure *f, struct fr_describer *d);
/* Adds the deadlock in which the run hung, without id, if it is a cycle of waits for locks,
   semaphores and the ends of threads. Returns NULL if it is not. For a cycle that no generator found: a join that
   never returned is no event of the model. */
struct fr_finding *fr_failure_deadlock(const struct fr_failure *f, struct fr_describer *d);

#endif
