/*
 * Prediction: runs the generators and the oracle over a recorded run under one budget, and keeps
 * the findings in the run folder.
 *
 * cmd/cmd_predict.c calls fr_analysis_load, fr_work_prepare, fr_work_generate, fr_ask_all and
 * fr_predict_save in this order, and prints the findings. The parts:
 *
 *   analysis.c         fr_analysis: model, causality and slice of a run
 *   predict_work.c     fr_work: candidates become jobs; worker threads ask the oracle about them
 *   predict_ask.c      drives the work: progress, interrupts, and when to save
 *   predict_save.c     fr_predict_saver: writes findings.json and the schedules
 *   describe.c         turns a prediction into a finding: events, values, call stacks;
 *                      describe_names.c: source positions and names
 *   failure.c          the failure of the recorded run, a finding of its own; failure_hang.c: what
 *                      a run that hung shows at its end
 *   hook_stacks.c      reads call stacks of hooks from the trace
 *   explain_reads.c    --explain: the reads that matter, with reasons
 *   inert_orders.c     leaves out orders of accesses that cannot make the program fail
 *   ask_again.c        asks again about a candidate whose schedule the program left
 *   schedule_build.c   turns an oracle schedule into a schedule file, for src/confirm
 *   watch_properties.c the properties of the run folder, which judge re-executions
 *
 * Words: a generator (generate/generate.h) returns *groups* of *instances*. An instance is one
 * candidate with its events; the instances of a group come from the same sites. All groups of one
 * bug form a *job*. A job becomes predicted if an instance of it is feasible, infeasible if none
 * is, and undecided if the oracle cannot tell. It stays untried if the time is up.
 *
 * Failure: if the time is up or the user interrupts, the findings so far are saved, and the summary
 *          says why it is incomplete. If memory runs out, the process ends at once. The run folder
 *          then has the findings that were saved before, and a message counts the undecided bugs.
 */
#ifndef FR_PREDICT_PREDICT_H
#define FR_PREDICT_PREDICT_H

#include "generate/generate.h"
#include "base/crew.h"
#include "base/opt.h"
#include "base/term.h"
#include "predict/analysis.h"
#include "predict/describe.h"
#include "predict/failure.h"
#include "findings/finding.h"
#include "predict/schedule_build.h"
#include <stdatomic.h>

enum fr_job_state {
	FR_JOB_UNTRIED,
	FR_JOB_PREDICTED,
	FR_JOB_INFEASIBLE,
	FR_JOB_UNDECIDED,
};

/* A group of a generator, and its result. */
struct fr_asked {
	struct fr_group *group;
	uint32_t kind;		 /* index into the work's groups */
	enum fr_job_state state; /* of this group alone */
	enum fr_reason reason;	 /* FR_JOB_UNDECIDED: why */
};

/* The groups of one bug. */
struct fr_job {
	struct fr_predicted p;
	struct fr_asked *group;
	uint32_t ngroups;
	uint32_t asked; /* number of instances */
	double solver_s;
	/* 1-based order in which it was predicted; never changes */
	uint32_t nth;
	_Atomic enum fr_job_state state; /* set last */
};

struct fr_work {
	/* set by the caller */
	struct fr_oracle_opt opt;
	double total; /* seconds for everything; 0 = no limit */
	uint32_t threads;
	double began; /* CLOCK_MONOTONIC seconds: start of everything, reading included */
	bool all;     /* every instance of a group, not only the first feasible one */
	struct fr_generate_opt what;
	/* set by fr_work_* */
	const struct fr_analysis *run;
	const struct fr_model *m;     /* of run */
	const struct fr_causality *c; /* of run */
	bool guess;		      /* allow the hybrid tier for the kinds of bugs that need it */
	bool failed;		      /* the recorded run did */
	const struct fr_generator *const *kind;
	FR_VEC(struct fr_groups) groups; /* of each kind */
	struct fr_asked *group;		 /* all groups; those of one bug are neighbours */
	size_t ngroups;
	struct fr_job *job;
	size_t jobs;
	uint64_t excluded, cut_off, left_out;
	struct fr_walks walks; /* of all generators */
	double start;	       /* CLOCK_MONOTONIC seconds */
	struct fr_crew crew;   /* one task per job */
	_Atomic uint32_t found;
	pthread_mutex_t stats_lock;   /* protects `stats` */
	struct fr_oracle_stats stats; /* of the oracles that have ended */
	double generate_s;
	_Atomic uint64_t rejected; /* schedules that the checker rejected */
	_Atomic bool stop;	   /* set by fr_ask_all: the threads end at their next candidate */
};

/* Sets the run, whose model is loaded, and analyses it as far as the tiers need. any_tier: the user
   chose none. */
void fr_work_prepare(struct fr_work *w, struct fr_analysis *run, bool any_tier,
		     const struct fr_pure *pure);
/* Generates the candidates of these kinds and sorts the jobs: by their position in the run,
   neighbourhoods last. */
void fr_work_generate(struct fr_work *w, const struct fr_generator *const *kinds);
/* Starts to ask the oracle, on w->crew. Nothing of w may be freed before the crew is joined. False:
   no thread can be created. */
bool fr_work_start(struct fr_work *w);
void fr_work_free(struct fr_work *w);
/* Seconds since fr_work_start. */
double fr_work_seconds(const struct fr_work *w);

/* The options of forerun predict and forerun run as the user gave them. */
struct fr_predict_args {
	struct fr_opt_list kinds, patterns, specs, atomic, atomic_set, pure;
	/* FR_OPT_NO_CHOICE: hybrid for the kinds that need it, otherwise sliced */
	struct fr_opt_choice tier;
	const char *solver; /* NULL: the first one */
	const char *budget; /* "S" or "S,TOTAL"; NULL: the default */
	uint64_t jobs;	    /* 0: one for each core */
	uint64_t relax;	    /* reads that may differ in the relaxed tier */
	bool no_neighbourhood, all, no_prune;
	bool stats; /* print them */
	bool explain;
};

/* Saves findings in the run folder. */
struct fr_predict_saver {
	/* set by the caller */
	const char *dir;
	struct fr_work *w;
	const struct fr_predict_args *args;
	/* set by fr_predict_save */
	struct fr_hook_stacks stacks;
	struct fr_recorded_turns order;
	struct fr_failure failure; /* of the recorded run, once `looked` */
	bool looked;
	uint32_t saved; /* number of predicted jobs whose findings are in the folder */
	/* set by fr_ask_all */
	pthread_t thread;	/* the thread that saves */
	pthread_mutex_t saving; /* held while files are written */
};
/* Writes the findings so far. The first call removes everything of an earlier prediction. *ret:
   the findings, if ret is not NULL. `final`: sort them worst first. reason: why incomplete, or
   NULL. Call it after fr_ask_all, or from there. */
int fr_predict_save(struct fr_predict_saver *k, bool final, const char *reason,
		    struct fr_findings *ret, struct fr_err *reterr);
void fr_predict_saver_free(struct fr_predict_saver *k);

/* Asks the oracle about all jobs, and saves findings as they are found. Returns why not all were
   decided, or NULL. If w->stop is set then, threads still exist: end the process without freeing
   anything. From here on, a message counts the undecided bugs if memory runs out. */
const char *fr_ask_all(struct fr_work *w, struct fr_predict_saver *k);

#endif
