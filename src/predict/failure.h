/*
 * The failure of the recorded run: a finding of its own. forerun saw it, so it is confirmed. The
 * run crashed, failed an assertion, caused a sanitizer's report, hung, or did not exit as the user
 * expects. Its events give the position of each thread at the end, and its wait.
 *
 * Not a failure: the user asked forerun to end the program, another process sent the signal, or a
 * signal that is no crash (SIGTERM, SIGPIPE, SIGKILL, ...) ended it, unless the user expects an
 * exit status.
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

/* A signal that a waiting thread may have missed: it came before the wait, or woke another. */
struct fr_failure_signal {
	uint32_t waiter; /* index in fr_failure.thread */
	fr_ev ev;
};

struct fr_failure {
	enum fr_harm harm; /* FR_HARM_NOT_KNOWN: the run did not fail */
	char *report;	   /* the text of an assertion or report; NULL: none */
	/* threads that had not ended, the failing one first */
	FR_VEC(struct fr_failure_thread) thread;
	uint32_t left_out; /* further threads */
	/* of a run that hung at a condition variable or futex; those of one waiter in a row */
	FR_VEC(struct fr_failure_signal) signal;
};

/* Decides whether the run failed, and looks for the last event of each thread. */
int fr_failure_open(const struct fr_model *m, struct fr_failure *ret, struct fr_err *reterr);
void fr_failure_free(struct fr_failure *f);
/* Asks for the call stacks of the locks that threads held. */
void fr_failure_want(const struct fr_failure *f, struct fr_describer *d);
/* Adds the finding to d->f, without id. Only for a run that failed. */
struct fr_finding *fr_failure_describe(const struct fr_failure *f, struct fr_describer *d);

/* ---- failure_hang.c ---- */

/* Adds the deadlock in which the run hung, without id, if it is a cycle of waits. Returns NULL if
   it is not. For a cycle that no generator found: a join that never returned is no event of the
   model. */
struct fr_finding *fr_failure_deadlock(const struct fr_failure *f, struct fr_describer *d);
/* Adds the wake-ups that a waiting thread may have missed as one finding, without id, in the
   recorded order. confirm/cause_hang.c decides whether that order is why the run hung. *i: 0 at
   first. Returns NULL if there are no more. */
struct fr_finding *fr_failure_wakeup(const struct fr_failure *f, struct fr_describer *d, size_t *i);

/* ---- parts ---- */

void fr_failure_find_signals(struct fr_failure *f, const struct fr_model *m);
/* The locks that a thread held at the end; `held` has room for FR_TARGETS. Returns their number. */
uint32_t fr_failure_held(const struct fr_describer *d, uint32_t thread, struct fr_held *held);
struct fr_pcsites;
/* The end of a thread as an event. pcs: NULL if the thread waits. */
struct fr_finding_event fr_failure_event(struct fr_describer *d, const struct fr_failure *f,
					 const struct fr_failure_thread *x, struct fr_pcsites *pcs);
/* Adds "thread 0.1 waits for `b` at x.c:14 in one()". */
void fr_failure_wait_text(const struct fr_finding_event *e, struct fr_buf *out);

#endif
