/*
 * Every finding of a run, proved or not, in parallel. Verdicts go into the findings as they come.
 */
#ifndef FR_CONFIRM_CONFIRM_H
#define FR_CONFIRM_CONFIRM_H

#include "base/crew.h"
#include "confirm/prove.h"
#include "findings/finding.h"

struct fr_confirm {
	/* given */
	struct fr_prover *prover;
	struct fr_findings *f;
	uint32_t jobs;		  /* at a time */
	uint32_t only;		  /* the id of one finding, 0: all */
	bool alone;		  /* one schedule a run */
	double limit;		  /* seconds for one run of the program */
	const _Atomic bool *stop; /* set by anybody: end soon */
	/* made */
	size_t tasks;	     /* schedules */
	struct fr_crew crew; /* its tasks: bundles, then schedules */
	struct fr_bundle_list bundles;
	struct fr_bundle_run *bundle; /* what became of each */
	_Atomic uint64_t shared;      /* runs of one schedule that were not needed for them */
	_Atomic uint64_t together;    /* bundles that were run */
	_Atomic uint32_t confirmed;   /* findings, so far */
	uint32_t errors;	      /* schedules that could not be run at all */
	struct fr_err err;	      /* the first of them */
	struct fr_task *task;
	pthread_mutex_t lock; /* of f */
	pthread_cond_t bundled;
};

/* By c->crew. */
void fr_confirm_start(struct fr_confirm *c);
/*
 * Waits for what runs. Then, if something failed since the last control, executes the recorded
 * schedule once more: findings whose harm that shows too, and those refuted if it cannot be
 * repeated, become unknown, with the reason.
 */
void fr_confirm_finish(struct fr_confirm *c);

/* All findings stay predicted, for this reason. */
void fr_confirm_none(struct fr_findings *f, const char *reason);

#endif
