/*
 * Confirmation: re-executes the program under the schedules of its findings, several at a time, and
 * writes verdict and harm into each finding.
 *
 * cmd/cmd_confirm.c opens a prover (fr_prover_open) on a run folder, calls fr_confirm_start, shows
 * progress, and calls fr_confirm_finish. The layers, from top to bottom:
 *
 *   confirm.c             one task per interleaving; worker threads (base/crew.h) take them
 *   bundle.c              puts schedules that do not interfere into one re-execution
 *   prove.c               runs a schedule in both orders of its targets; runs controls when needed
 *   prove_again.c         if the program leaves a relaxed schedule, asks for another one
 *   prove_place.c         if the program leaves the schedule, follows it by place (place_plan.h)
 *   prove_watch.c         lets the automaton of a property judge (judge_property.h)
 *   confirm_failure.c     turns failures of runs that left their schedules into findings
 *   needs_harm.c          findings that count only with harm
 *   judge.c               verdict and harm of one re-execution, compared with the recorded run and
 *                         with controls; explain.c writes the sentences, and judge_deadlock.c
 *                         knows threads that wait for ever
 *   execution.c           one re-execution: starts the program (launch.c), types its terminal input
 *                         (terminal_input.c), watches it, ends it (end_orphans.c)
 *   control_file_build.c  writes the control file for the controller (src/runtime/control/);
 *                         control_file_take.c reads what the program left in it
 *   ghost_file_build.h    writes the file for the ghost (process/ghost.h)
 *
 * Beside them:
 *
 *   recorded.h            facts of the recorded run, from its trace
 *   recorded_schedule.h   the schedule of the recorded run itself
 *   execution_world.h     the box of the re-executions, and their files
 *   modules.h             compares the program and its libraries with the recorded ones
 *   earlier_executions.h  results of earlier re-executions, so that none is repeated
 *   controls.h            controls, which re-execute the recorded schedule
 *   serial.h              controls in which the regions of a finding run one after the other
 *   serial_section.h      the two sections of such a control
 *   compare_output.c      compares outputs; varying_output.c: fields that vary between executions
 *   cause_failure.h       why the recorded run failed, for findings whose events have one order
 *   cause_hang.h          the same for a recorded run that hung
 *   intended_order.h      interleavings that correct programs intend
 *   forced_value.h        reads that must see another value in the order of a finding
 *   pointer_doubt.h       refuted findings that a confirmed one may make possible
 *   gdb.h                 runs a schedule under gdb
 *
 * The targets of a schedule are *pending* when each is the next step of its thread. They *met* when
 * they then happened in the order of the schedule; for a deadlock, when each thread blocks there.
 *
 * Verdicts: an interleaving begins as predicted. It becomes confirmed if its targets met, refuted
 *           if the program left the schedule before, and unknown if forerun cannot tell, for
 *           example because a control shows that the recorded run cannot be repeated.
 * Failure:  a schedule that cannot be run at all stays predicted, with the reason; `errors` counts
 *           these. *stop ends the work early, and the remaining findings keep their state.
 */
#ifndef FR_CONFIRM_CONFIRM_H
#define FR_CONFIRM_CONFIRM_H

#include "base/crew.h"
#include "confirm/prove.h"
#include "findings/finding.h"

struct fr_confirm_failure {
	struct fr_schedule_file *s;
	struct fr_judgement j;
	enum fr_tier tier; /* of the finding whose schedule the program left */
};

struct fr_confirm {
	/* set by the caller */
	struct fr_prover *prover;
	struct fr_findings *f;
	uint32_t jobs;		  /* re-executions at a time */
	uint32_t only;		  /* id of one finding, 0 = all */
	bool alone;		  /* one schedule per re-execution: no bundles */
	bool exact;		  /* do not follow schedules by place */
	double limit;		  /* seconds for one re-execution */
	const _Atomic bool *stop; /* any thread may set it: end soon */
	/* set by fr_confirm_start */
	size_t tasks;	     /* number of tasks: one for each interleaving with a schedule */
	struct fr_crew crew; /* its tasks: first the bundles, then the schedules */
	struct fr_bundle_list bundles;
	struct fr_bundle_run *bundle; /* result of each bundle */
	_Atomic uint64_t shared;      /* re-executions that bundles saved */
	_Atomic uint64_t together;    /* bundles that were run */
	_Atomic uint32_t confirmed;   /* confirmed findings so far */
	uint32_t errors;	      /* schedules that could not be run at all */
	struct fr_err err;	      /* the first of these errors */
	struct fr_task *task;
	struct fr_share *share; /* by instance */
	/* Failures of runs that had left their schedules, and the positions of those that findings
	   explain (fr_judgement.where). */
	FR_VEC(struct fr_confirm_failure) failure;
	FR_VEC(uint64_t) explained;
	uint32_t slow;	      /* runs that time ended, of findings that need harm */
	pthread_mutex_t lock; /* protects f, `bundle` and the failures */
	pthread_cond_t bundled;
};

/* Makes the tasks and starts the worker threads of c->crew. */
void fr_confirm_start(struct fr_confirm *c);
/* Waits for the tasks. If a re-execution failed since the last control, runs the recorded schedule
   once more. A finding becomes unknown, with the reason, if this control shows the finding's harm,
   or if the finding is refuted and the control cannot repeat the recorded run. */
void fr_confirm_finish(struct fr_confirm *c);

/* confirm_failure.c: keeps the failure of a proof, if any, and the failures that the proof
   explains. The lock is held. */
void fr_confirm_keep(struct fr_confirm *c, struct fr_proof *p, enum fr_tier tier);
/* Adds a finding for each failure that no finding explains. */
void fr_confirm_add_failures(struct fr_confirm *c);

/* Leaves all findings predicted, for this reason. */
void fr_confirm_none(struct fr_findings *f, const char *reason);

#endif
