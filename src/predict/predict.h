/*
 * Prediction: runs the generators and the oracle over a recorded run under one budget, and keeps
 * the findings in the run folder.
 *
 * cmd/cmd_predict.c loads the model, calls fr_work_generate, fr_ask_all and fr_ask_save in this
 * order, and prints the findings. The parts:
 *
 *   predict_work.c     fr_work: candidates become jobs; worker threads ask the oracle about them
 *   predict_ask.c      drives the work: progress, interrupts, saves, and the end of memory
 *   predict_save.c     fr_predict_saver: writes findings.json and the schedules
 *   describe*.c        turns a prediction into a finding: places, names, values, call stacks
 *   failure.c          the failure of the recorded run, a finding of its own
 *   hook_stacks.c      reads call stacks of hooks from the trace
 *   again.c            asks again about a candidate whose schedule the program left
 *   schedule_build.c   turns an oracle schedule into a schedule file, for src/confirm
 *
 * Words: a generator (generate/generate.h) returns *groups* of *instances*. An instance is one
 * candidate with its events; the instances of a group come from the same sites. All groups of one
 * bug form a *job*. A job becomes predicted if an instance of it is feasible, infeasible if none
 * is, and undecided if the oracle cannot tell. It stays untried if the time is up.
 *
 * Failure: if the time is up or the user interrupts, the findings so far are saved, and the summary
 *          says why it is incomplete. The same holds if memory runs out while the oracle is asked
 *          (predict_ask.c). If it runs out before, nothing was found yet, and the process ends.
 */
#ifndef FR_PREDICT_PREDICT_H
#define FR_PREDICT_PREDICT_H

#include "generate/generate.h"
#include "base/crew.h"
#include "base/opt.h"
#include "base/term.h"
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
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_oracle_opt opt;
	double total; /* seconds for everything; 0 = no limit */
	uint32_t threads;
	double began; /* CLOCK_MONOTONIC seconds: start of everything, reading included */
	bool guess;   /* allow the hybrid tier for the kinds of bugs that need it */
	bool all;     /* every instance of a group, not only the first feasible one */
	struct fr_generate_opt what;
	struct fr_slice *slice; /* the reads that matter; NULL: all of them */
	/* set by fr_work_* */
	const struct fr_generator *const *kind;
	FR_VEC(struct fr_groups) groups; /* of each kind */
	struct fr_asked *group;		 /* all groups; those of one bug are neighbours */
	size_t ngroups;
	struct fr_job *job;
	size_t jobs;
	uint64_t excluded, cut_off, left_out;
	double start;	     /* CLOCK_MONOTONIC seconds */
	struct fr_crew crew; /* one task per job */
	_Atomic uint32_t found;
	pthread_mutex_t stats_lock;	     /* protects `stats` */
	struct fr_oracle_stats stats;	     /* of the oracles that have ended */
	double read_s, causality_s, slice_s; /* set by the caller */
	double generate_s;
	_Atomic uint64_t rejected;	/* schedules that the checker rejected */
	_Atomic uint64_t actors, steps; /* of the findings: saving takes memory for these */
	_Atomic bool stop;
	_Atomic bool exhausted; /* there is no memory left; suspended threads may exist */
};

/* Generates the candidates of these kinds and sorts the jobs: by their position in the run,
   neighbourhoods last. */
void fr_work_generate(struct fr_work *w, const struct fr_generator *const *kinds);
/* Starts to ask the oracle, on w->crew. Nothing of w may be freed before the crew is joined. False:
   no thread can be created. */
bool fr_work_start(struct fr_work *w);
/* Frees the candidates of groups that were not predicted so far. No thread may use them any
   more. */
void fr_work_forget(struct fr_work *w);
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
	uint32_t saved; /* number of findings in the folder */
	/* set by fr_ask_* */
	pthread_t thread; /* the thread that saves */
	void *reserve;	  /* memory to free if there is none left for saving; owned, may be NULL */
	size_t reserved;
};
/* Writes the findings so far. *ret: the findings, if ret is not NULL. `final`: sort them worst
   first, and remove everything of an earlier prediction. reason: why incomplete, or NULL. */
int fr_predict_save(struct fr_predict_saver *k, bool final, const char *reason,
		    struct fr_findings *ret, struct fr_err *reterr);
void fr_predict_saver_free(struct fr_predict_saver *k);

/* Asks the oracle about all jobs, and saves now and then. Returns why not all were decided, or
   NULL. If w->stop is set then, threads still exist: end the process without freeing anything. */
const char *fr_ask_all(struct fr_work *w, struct fr_predict_saver *k);
/* Saves for the last time. If there is no memory even for that, ends the process with a message. */
int fr_ask_save(struct fr_predict_saver *k, const char *reason, struct fr_findings *ret,
		struct fr_err *reterr);

#endif
