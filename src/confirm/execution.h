/*
 * One run under control: starts the program with a control file, watches it, ends it, and keeps
 * what was seen. Nothing of the program is left behind, whatever it did.
 */
#ifndef FR_CONFIRM_EXECUTION_H
#define FR_CONFIRM_EXECUTION_H

#include "confirm/control.h"
#include "confirm/launch.h"
#include <stdatomic.h>

struct fr_replay_how {
	double limit;		  /* seconds */
	bool pass;		  /* what it writes goes to our own streams, too */
	const _Atomic bool *stop; /* set: it is to be ended at once; NULL */
	bool control;		  /* harm is compared with controls, which are executed as needed */
	bool others;	     /* after the targets the others go on before the last one's thread */
	struct fr_buf *seen; /* gets what was seen at the targets, a line each; NULL */
};

/* Why it was ended, if it did not end by itself. */
enum fr_ended {
	FR_ENDED_ITSELF,
	FR_ENDED_PHASE,	  /* the runtime said that it is over: divergence, hang */
	FR_ENDED_LIMIT,	  /* its time was up */
	FR_ENDED_SPIN,	  /* a thread ran on and on without coming to the end of its turn */
	FR_ENDED_OUTSIDE, /* it waits for something that is not under control */
	FR_ENDED_FLOOD,	  /* it wrote too much */
	FR_ENDED_STOP,	  /* nobody wants to know any more */
};

struct fr_replayed {
	struct fr_control_file control; /* as the program left it */
	FR_VEC(char *) thread;	/* path of creation by id of the pool - 1; NULL: not known */
	FR_VEC(uint64_t) hooks; /* that each of them executed */
	bool attached;		/* somebody followed the schedule */
	enum fr_ended ended;
	uint32_t outside; /* FR_ENDED_OUTSIDE: id of the thread */
	int exit;	  /* -1: it did not exit */
	int signal;	  /* that killed it, 0: none, or ours */
	int out, err;	  /* what it wrote; err -1: goes with out */
	size_t typed;	  /* of the recorded input, at its terminal */
	double seconds;
};

/* Takes the control file over, in any case. ret is to be freed if 0 is returned. */
int fr_replay(const struct fr_launch *s, struct fr_control_file *control,
	      const struct fr_replay_how *how, struct fr_replayed *ret, struct fr_err *reterr);
void fr_replayed_free(struct fr_replayed *r);

/* A pool for a run under control, which nothing is recorded into: to be unmapped and closed. path:
   where the program finds it. */
int fr_replay_pool(const struct fr_run *run, const char *control, struct fr_pool **ret, int *ret_fd,
		   char path[64], struct fr_err *reterr);

/* How a thread of the program is called: its path of creation, "?" if that is not known. */
const char *fr_replayed_thread(const struct fr_replayed *r, uint32_t id);

#endif
