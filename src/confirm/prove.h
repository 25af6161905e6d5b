/*
 * Schedules of one run, proved: reads what is needed of the run folder once, then runs any number
 * of schedules, several at a time if wanted.
 */
#ifndef FR_CONFIRM_PROVE_H
#define FR_CONFIRM_PROVE_H

#include "confirm/bundle.h"
#include "confirm/judge.h"
#include "confirm/orphan.h"
#include "confirm/recorded_calls.h"
#include "confirm/launch.h"
#include "confirm/serial.h"
#include <pthread.h>
#include <sched.h>

struct fr_prover {
	const char *dir;
	struct fr_trace *trace;
	struct fr_launch start;
	struct fr_recall recall;
	struct fr_judge judge;
	struct fr_reaper reaper;
	struct fr_serial serial;
	struct fr_sched whole; /* the folder's `schedule`, if schedules refer to it */
	bool has_whole;
	struct fr_sched recorded; /* the recorded schedule, once a control needed it */
	bool has_recorded;
	pthread_mutex_t controls;     /* held while a control is executed */
	pthread_mutex_t lock;	      /* of the judge, and of: */
	uint16_t on_cpu[CPU_SETSIZE]; /* runs that are on each processor now */
	_Atomic uint64_t runs;	      /* of the program, so far */
	char *token;		      /* of ask */
	double patience;	      /* as of fr_control_world */
};

/* Whether the run's program may be started: 0, or -errno with a message. May change the
   environment that the program gets. ret_token: what it decided, as a new string, for a process
   that reads the folder again (gdb.c). In the tool it is fr_trust_ask. */
typedef int fr_prover_ask(const char *dir, struct fr_run *run, char **ret_token,
			  struct fr_err *reterr);

/* Fails if the program may not be run, or cannot be run again as it was: see fr_launch_prepare. */
int fr_prover_open(struct fr_prover *p, const char *dir, fr_prover_ask *ask, struct fr_err *reterr);
/* Zero-initialised or opened. */
void fr_prover_close(struct fr_prover *p);

/* A schedule file of the folder, checked. */
int fr_prover_read(const struct fr_prover *p, const char *path, struct fr_sched *ret,
		   struct fr_err *reterr);

/* What was read or written at an event of the finding. */
struct fr_saw {
	uint64_t hook, value;
};

/* What became of one run. */
struct fr_proof {
	struct fr_judgement j; /* its detail is to be freed */
	bool others;	       /* they went on first */
	bool meet;	       /* the targets were at the brink, all at once */
	enum fr_ended ended;
	int exit, signal;
	double seconds;
	uint32_t nsaw; /* events of the finding, as they happened; hook 0: nothing is known */
	struct fr_saw saw[FR_CONTROL_EVENTS + FR_CONTROL_TARGETS];
};
int fr_prover_run(struct fr_prover *p, const struct fr_sched *s, bool swapped,
		  const struct fr_replay_how *how, struct fr_proof *ret, struct fr_err *reterr);
/*
 * After the last finding: if one failed since the last control, executes another one. True if that
 * shows something that none before did; ret: what, its detail is to be freed. False: nothing new,
 * and nothing to free.
 */
bool fr_prover_last_control(struct fr_prover *p, const struct fr_replay_how *how,
			    struct fr_judgement *ret);
/* The recorded run, again. */
int fr_prover_recorded(struct fr_prover *p, const struct fr_replay_how *how, struct fr_proof *ret,
		       struct fr_err *reterr);

/*
 * Races of a bundle, each in the order of the recorded run: how many of them met, from the first
 * on, and did no harm by that. The others must be run alone.
 */
int fr_prover_bundle(struct fr_prover *p, const struct fr_bundle *b,
		     const struct fr_replay_how *how, size_t *ret_met, struct fr_err *reterr);

/*
 * One prediction: of a race both orders, if the first one was at the brink; of another kind that
 * does no harm once more, with the others going on first. The better proof, and of two the worse
 * harm. ret_swapped: it was the second order.
 */
int fr_prover_both(struct fr_prover *p, const struct fr_sched *s, const struct fr_replay_how *how,
		   struct fr_proof *ret, bool *ret_swapped, struct fr_err *reterr);

/*
 * The same for a member of a bundle: first the order that is not that of the recorded run. Then
 * `met` is asked, which may wait: true if the other one has met in the bundle; if not, that is run
 * too. Of two that did no harm, the one that was run alone is the one to be shown.
 */
int fr_prover_member(struct fr_prover *p, const struct fr_sched *s, bool recorded_swapped,
		     const struct fr_replay_how *how, bool (*met)(void *), void *arg,
		     struct fr_proof *ret, bool *ret_swapped, struct fr_err *reterr);

#endif
