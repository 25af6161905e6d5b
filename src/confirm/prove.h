/*
 * The prover re-executes schedules of one run. It reads the run folder once, and then runs any
 * number of schedules, several at a time. confirm.c, gdb.c and cmd/cmd_replay.c use it.
 */
#ifndef FR_CONFIRM_PROVE_H
#define FR_CONFIRM_PROVE_H

#include "confirm/bundle.h"
#include "confirm/judge.h"
#include "confirm/judge_property.h"
#include "confirm/earlier_executions.h"
#include "confirm/end_orphans.h"
#include "confirm/recorded.h"
#include "confirm/launch.h"
#include "confirm/serial.h"
#include "confirm/execution_world.h"
#include "findings/finding.h"
#include <pthread.h>
#include <sched.h>

/* Makes other schedules for candidates of the relaxed tier. predict/ask_again.c has these
   functions, and cmd/cmd_confirm.c connects them. */
struct fr_prover_again {
	/* Makes another schedule for the candidate of s, in which the n READs of `fixed` return
	   their recorded values. False: there is none. NULL: never ask. */
	bool (*ask)(void *arg, const struct fr_model *m, const struct fr_schedule_file *s,
		    const fr_ev *fixed, uint32_t n, struct fr_schedule_file *ret);
	/* Stores the reads that differ in a schedule in its finding. */
	void (*describe)(void *arg, const struct fr_model *m, const struct fr_schedule_file *s,
			 struct fr_findings *f, struct fr_finding *x);
	void *arg;
};

/* Judges an execution by the automaton of a property: predict/watch_properties.h, judge_property.h.
   The caller maps the answer. NULL: properties are not judged. */
enum fr_property_judged { FR_PROPERTY_OPEN, FR_PROPERTY_KEPT, FR_PROPERTY_VIOLATED };
struct fr_prover_watch {
	bool (*has)(void *arg, const char *kind); /* is there an automaton for this kind? */
	enum fr_property_judged (*ask)(void *arg, const struct fr_schedule_file *s,
				       const char *events, bool over);
	void *arg;
};

struct fr_prover {
	const char *dir;
	struct fr_trace *trace; /* owned until the model, which then owns it, exists */
	struct fr_model *model; /* NULL = not needed yet; owned */
	struct fr_launch start;
	struct fr_recorded recorded;
	struct fr_world world;
	struct fr_judge judge;
	struct fr_reaper reaper;
	struct fr_serial serial;
	struct fr_schedule_file
	    whole; /* the folder's `schedule`, to which other schedules may refer */
	bool has_whole;
	struct fr_schedule_file recorded_schedule; /* once a control needed it */
	bool has_recorded_schedule;
	pthread_mutex_t loading;      /* protects `model` */
	pthread_mutex_t control_lock; /* held while a control runs */
	pthread_mutex_t lock;	      /* protects the judge and on_cpu */
	uint16_t on_cpu[CPU_SETSIZE]; /* re-executions on each processor now */
	struct fr_known known;
	_Atomic uint64_t runs;	      /* re-executions so far */
	char *token;		      /* result of `ask` */
	struct fr_prover_again again; /* set by the caller after fr_prover_open */
	struct fr_prover_watch watch; /* likewise */
	double patience;	      /* argument of fr_control_file_add_world */
};

/* Decides whether the run's program may be started: 0, or -errno with a message. trust: the user
   already agreed. May change the program's environment. *ret_token: the decision as a new string,
   for a process that reads the folder again (gdb.c). cmd/trust.c supplies fr_trust_ask. */
typedef int fr_prover_ask(const char *dir, bool trust, struct fr_run *run, char **ret_token,
			  struct fr_err *reterr);

/* Fails if the program may not be run, or cannot be run again as it was: see fr_launch_prepare.
   trust: argument of `ask`, the function that requests the user's permission. box: false = run the
   program in the world as it is now (execution_world.h). The caller closes p also after a
   failure. */
int fr_prover_open(struct fr_prover *p, const char *dir, fr_prover_ask *ask, bool trust, bool box,
		   struct fr_err *reterr);
/* p is zero-initialised, or was given to fr_prover_open. */
void fr_prover_close(struct fr_prover *p);
/* Returns the model of the run, or NULL with a message. Loads it when it is first needed, unless
   the caller of fr_prover_open has set `model`. */
const struct fr_model *fr_prover_model(struct fr_prover *p, struct fr_err *reterr);

/* Reads a schedule file of the folder and checks that it belongs to this run. */
int fr_prover_read(const struct fr_prover *p, const char *path, struct fr_schedule_file *ret,
		   struct fr_err *reterr);

/* Replaces a schedule file of the folder. Turns that the folder's `schedule` has are not
   repeated. */
int fr_prover_write(const struct fr_prover *p, const char *path, struct fr_schedule_file *s,
		    struct fr_err *reterr);

/* The value that was read or written at an event of the finding. */
struct fr_value_seen {
	uint64_t hook, value;
	bool known;
};

/* Where a program left its schedule. */
struct fr_proof_left {
	uint32_t thread; /* index in the schedule, UINT32_MAX: not in it */
	uint64_t hook;	 /* next hook of the thread */
	size_t turn;	 /* turns before this one were over */
};

/* Result of one re-execution. The caller clears it. */
struct fr_proof {
	struct fr_judgement j;
	bool others;		 /* other threads continued first */
	bool meet;		 /* all targets were pending at once */
	uint64_t left;		 /* where the program left the schedule, as a hash; 0: it did not */
	struct fr_proof_left at; /* the same, if it did */
	bool kept;		 /* the events happened, but the property is not violated */
	bool clear;		 /* refuted: a read must send the program elsewhere in this order */
	enum fr_good_order good; /* of a violation that made the recorded run fail */
	enum fr_ended ended;
	int exit, signal;
	double seconds;
	/* The schedule with the hooks of an execution on another path, which replaces the given
	   one; NULL: the program followed the given one, or did not come to its events. Owned. */
	struct fr_schedule_file *path;
	/* Above 0: `path` is no other path, but a schedule of the oracle, which answered this
	   number of further questions. */
	uint32_t again;
	/* The program left the schedule, and failed later: the schedule, and how it failed. */
	struct fr_schedule_file *failing;
	struct fr_judgement failure;
	uint32_t nsaw; /* events of the finding, as they happened */
	struct fr_value_seen saw[FR_CONTROL_FILE_EVENTS + FR_CONTROL_FILE_TARGETS];
};
/* Frees the memory of the proof; its verdict and numbers stay. */
void fr_proof_clear(struct fr_proof *p);
/* A refuted proof becomes unknown: the program took another path, and forerun did not search all
   continuations of it. why: "did not ..." */
void fr_proof_leave_open(struct fr_proof *p, const char *why);
/* Re-executes a schedule. With how->by_place, a schedule that the program leaves is followed by
   place (place_plan.h). */
int fr_prover_run(struct fr_prover *p, const struct fr_schedule_file *s, bool swapped,
		  const struct fr_execution_how *how, struct fr_proof *ret, struct fr_err *reterr);
/* After the last finding: runs another control if a re-execution failed since the last one. True:
   it shows something that none before did; the caller frees ret->detail. False: nothing to free. */
bool fr_prover_last_control(struct fr_prover *p, const struct fr_execution_how *how,
			    struct fr_judgement *ret);
/* Re-executes the recorded schedule. */
int fr_prover_recorded(struct fr_prover *p, const struct fr_execution_how *how,
		       struct fr_proof *ret, struct fr_err *reterr);

/* Runs a bundle. *ret_met: number of members, from the first on, that met without harm. The others
   must run alone. */
int fr_prover_bundle(struct fr_prover *p, const struct fr_bundle *b,
		     const struct fr_execution_how *how, size_t *ret_met, struct fr_err *reterr);

/* Proves one interleaving. Runs a race in both orders, if its targets were pending in the first.
   Runs another kind that does no harm once more, with other threads continuing first. Returns the
   better proof, and among equal proofs the worse harm. *ret_swapped: that was the second order. */
int fr_prover_both(struct fr_prover *p, const struct fr_schedule_file *s,
		   const struct fr_execution_how *how, struct fr_proof *ret, bool *ret_swapped,
		   struct fr_err *reterr);

/* The same for a member of a bundle. First runs the order that is not the recorded one. Then asks
   `met`, which may wait, whether the bundle showed the other order. If not, it runs that order too.
   If neither order does harm, returns the one that ran alone. */
int fr_prover_member(struct fr_prover *p, const struct fr_schedule_file *s, bool recorded_swapped,
		     const struct fr_execution_how *how, bool (*met)(void *), void *arg,
		     struct fr_proof *ret, bool *ret_swapped, struct fr_err *reterr);

/* If a race did no harm in both orders: runs both again, with other threads continuing first. *ret
   and *ret_swapped become the better proof. known: by order; such a run is known to do no harm. */
void fr_prover_others(struct fr_prover *p, const struct fr_schedule_file *s,
		      const struct fr_execution_how *how, const bool known[2], struct fr_proof *ret,
		      bool *ret_swapped);

/* ---- parts, for prove_place.c and cause_failure.c ---- */

/* Executes a schedule once. */
int fr_prover_execute(struct fr_prover *p, const struct fr_schedule_file *s,
		      const struct fr_control_file_how *file_how,
		      const struct fr_execution_how *how, struct fr_execution *ret,
		      struct fr_err *reterr);
/* Judges a re-execution, and runs the controls on which the judgement depends. */
void fr_prover_judge(struct fr_prover *p, const struct fr_execution *seen,
		     const struct fr_execution_how *how, struct fr_judgement *ret);
/* Does a control end in the failure of the recorded run? Otherwise the failure has other causes. */
bool fr_prover_fails_again(struct fr_prover *p, const struct fr_execution_how *how);
/* The program fails with the violation, as in the recorded run, and ends well in the order `good`
   without it: the failure is the violation's harm. other_path: the second thread took any path
   there. */
void fr_prover_blame(const struct fr_prover *p, enum fr_good_order good, bool other_path,
		     struct fr_proof *proof);
/* Looks for an execution in which the events happen in their order, whenever that is. The schedule
   has no turns. *ret, which says refuted, becomes the proof. */
void fr_prover_first(struct fr_prover *p, const struct fr_schedule_file *s,
		     const struct fr_execution_how *how, struct fr_proof *ret);
/* The program left the schedule, and *ret says how. Follows the schedule by place. If the finding
   happens on another path, *ret becomes the proof of that; if the program fails, *ret says how. */
void fr_prover_place(struct fr_prover *p, const struct fr_schedule_file *s, bool swapped,
		     const struct fr_execution_how *how, struct fr_proof *ret);
/* The program left the schedule of a relaxed tier, and *ret says where. Fixes the read that sent it
   elsewhere, asks for another schedule, and executes that, a few times. If the finding happens,
   *ret becomes the proof of that. prove_again.c */
void fr_prover_again(struct fr_prover *p, const struct fr_schedule_file *s, bool swapped,
		     const struct fr_execution_how *how, struct fr_proof *ret);
/* Does an automaton judge the executions of this schedule? */
bool fr_prover_watches(const struct fr_prover *p, const struct fr_schedule_file *s);
/* The program came to the targets. *proof is confirmed only if the property is violated too. f: the
   events of the execution. judge_property.h, prove_watch.c */
void fr_prover_watch(struct fr_prover *p, const struct fr_schedule_file *s,
		     const struct fr_execution *seen, const struct fr_event_folder *f,
		     struct fr_proof *proof);
/* Executes a schedule by its hooks; `serial` is the schedule from which serial controls are
   made. */
int fr_prover_exact(struct fr_prover *p, const struct fr_schedule_file *s,
		    const struct fr_schedule_file *serial, bool swapped,
		    const struct fr_execution_how *how, struct fr_proof *ret,
		    struct fr_err *reterr);

#endif
