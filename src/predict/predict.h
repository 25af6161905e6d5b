/*
 * forerun predict, in parts: the command, reading the run and printing (predict.c), its options
 * (predict_opt.c); asking about all candidates, whatever happens (predict_ask.c), on several
 * threads (predict_work.c); keeping what was found (predict_save.c).
 */
#ifndef FR_PREDICT_PREDICT_H
#define FR_PREDICT_PREDICT_H

#include "generate/generate.h"
#include "base/crew.h"
#include "base/opt.h"
#include "base/term.h"
#include "predict/describe.h"
#include "findings/finding.h"
#include "predict/schedule_build.h"
#include <stdatomic.h>

enum fr_job_state {
	FR_JOB_UNTRIED,
	FR_JOB_PREDICTED,
	FR_JOB_REFUTED,
	FR_JOB_UNDECIDED,
};

/* A group of a generator, and what became of it. */
struct fr_asked {
	struct fr_group *group;
	uint32_t kind;		 /* of the work's groups */
	enum fr_job_state state; /* of its own */
	enum fr_reason reason;	 /* FR_JOB_UNDECIDED */
};

/* The groups of one bug. */
struct fr_job {
	struct fr_predicted p;
	struct fr_asked *group;
	uint32_t ngroups;
	uint32_t asked; /* instances */
	double solver_s;
	uint32_t nth;			 /* to be predicted, from 1: a number that stays */
	_Atomic enum fr_job_state state; /* the last to be set */
};

struct fr_work {
	/* given */
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_oracle_opt opt;
	double total; /* seconds for everything; 0: no limit */
	uint32_t threads;
	double began; /* CLOCK_MONOTONIC seconds: of all, reading included */
	bool guess;   /* kinds of bugs that need it have the hybrid tier */
	bool all;     /* every instance of a group, not the first feasible one alone */
	struct fr_generate_opt what;
	void *reserve; /* given up when a generator has no memory left, or all are through; owned */
	/* made */
	const struct fr_generator *const *kind;
	FR_VEC(struct fr_groups) groups; /* of each kind */
	struct fr_asked *group;		 /* all of them, those of one bug together */
	size_t ngroups;
	struct fr_job *job;
	size_t jobs;
	uint64_t excluded, cut_off;
	uint32_t no_memory;  /* how often there was none for the candidates: some are missing */
	double start;	     /* CLOCK_MONOTONIC seconds */
	struct fr_crew crew; /* a task is a job */
	_Atomic uint32_t found;
	_Atomic uint64_t rejected;	/* schedules, by the checker */
	_Atomic uint64_t actors, steps; /* of what was found: how much there is to be saved */
	_Atomic bool stop;
};

/* The candidates of these kinds, nearest to the beginning of the run first, neighbourhoods last. */
void fr_work_generate(struct fr_work *w, const struct fr_generator *const *kinds);
/* Asks about them, by w->crew; before that is joined nothing of w may be freed. */
void fr_work_start(struct fr_work *w);
/* Frees the candidates of groups that came to nothing so far. There must be nobody who still asks
   about them. */
void fr_work_forget(struct fr_work *w);
void fr_work_free(struct fr_work *w);
double fr_work_seconds(const struct fr_work *w);

/* What to look for, and how far: as it was parsed, here or by forerun run. */
struct fr_predict_words {
	struct fr_opt_list kinds, patterns, atomic, atomic_set;
	const char *tier; /* NULL: hybrid for the kinds that need it, else precise */
};

/* Keeps findings in the run folder. */
struct fr_keeper {
	/* given */
	const char *dir;
	struct fr_work *w;
	const struct fr_predict_words *words;
	/* Prints the findings when memory runs out, before the process ends. */
	void (*print)(const char *dir, const struct fr_findings *f);
	/* made */
	struct fr_looks looks;
	struct fr_order order;
	uint32_t kept; /* findings that are in the folder */
	uint32_t most; /* findings to be saved, the first ones; 0: all */
	void *reserve; /* memory to be given up for saving; owned, may be NULL */
	size_t reserved;
};
#define FR_RESERVE ((size_t)32 << 20)
/* Writes all that was found so far; ret: the findings, if not NULL. `final`: worst first, and
   nothing of an earlier prediction stays. reason: why it is not complete, NULL if it is. */
int fr_keeper_save(struct fr_keeper *k, bool final, const char *reason, struct fr_findings *ret,
		   struct fr_err *reterr);
/* Saving was left in the middle: nothing that it had made is relied on. */
void fr_keeper_forget(struct fr_keeper *k);
void fr_keeper_free(struct fr_keeper *k);

/* Asks about everything that was generated; why it was not all, or NULL. Interrupted, w->stop is
   set, and threads still run. Saves now and then. If memory runs out it does not return: what was
   found is saved and printed. */
const char *fr_ask_all(struct fr_work *w, struct fr_keeper *k);
/* Saves for the last time. If memory runs out: the same. */
int fr_ask_save(struct fr_keeper *k, const char *reason, struct fr_findings *ret,
		struct fr_err *reterr);

#endif
