/*
 * One re-execution: starts the program with a control file, watches it, ends it, and keeps the
 * results. No process of the program survives, whatever it did.
 */
#ifndef FR_CONFIRM_EXECUTION_H
#define FR_CONFIRM_EXECUTION_H

#include "confirm/control_file_build.h"
#include "confirm/launch.h"
#include "trace/writer.h"
#include <stdatomic.h>

#define FR_EXECUTION_LEFT 4 /* entries of fr_execution_how.left */

struct fr_execution_how {
	double limit;		  /* seconds */
	bool pass;		  /* copy its output to our own streams */
	const _Atomic bool *stop; /* if set, end it at once; NULL */
	bool control;		  /* compare harm with controls, and run controls as needed */
	/* after the targets, let other threads continue before the last target's thread */
	bool others;
	/* leave out an execution that is the same as one without harm (earlier_executions.h) */
	bool only_harm;
	bool by_place; /* if the program leaves the schedule, try to follow it by place */
	/* Where executions of other instances left their schedules (fr_proof.left), 0: free. An
	   execution that leaves its schedule there too is not followed by place again. NULL */
	uint64_t *left;
	struct fr_buf *seen; /* receives a line for each target; NULL */
	const char *events;  /* file to which a trace of its events is written; NULL: none */
};

/* Why the watcher ended it, or that it ended by itself. */
enum fr_ended {
	FR_ENDED_ITSELF,
	FR_ENDED_PHASE,	  /* the runtime reported a divergence or a hang */
	FR_ENDED_LIMIT,	  /* its time was up */
	FR_ENDED_SPIN,	  /* a thread computed too long without reaching the end of its turn */
	FR_ENDED_OUTSIDE, /* it waits for something that is not under control */
	FR_ENDED_FLOOD,	  /* it wrote too much */
	FR_ENDED_STOP,	  /* the caller asked to stop */
};

struct fr_execution {
	struct fr_control_file_handle file; /* as the program left it: see fr_control_file_take */
	FR_VEC(char *) thread;	/* creation path by id in the pool - 1; NULL = unknown */
	FR_VEC(uint64_t) hooks; /* number of hooks that each thread executed */
	bool attached;		/* the runtime followed the schedule */
	enum fr_ended ended;
	uint32_t outside; /* FR_ENDED_OUTSIDE, FR_ENDED_SPIN: id of the thread */
	int exit;	  /* -1 = it did not exit */
	int signal;	  /* signal that killed it; 0 = none, or our own */
	int out, err;	  /* files with its output; err = -1: merged into out */
	size_t typed;	  /* bytes of the recorded input typed at its terminal */
	double seconds;
	bool traced; /* fr_execution_how.events has all its events */
	struct fr_writer_stats trace;
};

/* Re-executes the program. Always takes over the control file. On 0, the caller frees *ret. */
int fr_execution_run(const struct fr_launch *s, struct fr_control_file_handle *file,
		     const struct fr_execution_how *how, struct fr_execution *ret,
		     struct fr_err *reterr);
void fr_execution_free(struct fr_execution *r);

/* Makes a pool for a re-execution with room for `blocks` blocks of events; 0: nothing is recorded.
   The caller unmaps fr_execution_pool_size(blocks) bytes and closes it. path: where the program
   finds it. */
int fr_execution_pool(const struct fr_run *run, const char *control_file, uint32_t blocks,
		      struct fr_pool **ret, int *ret_fd, char path[64], struct fr_err *reterr);
static inline size_t fr_execution_pool_size(uint32_t blocks)
{
	return FR_POOL_BLOCKS_OFF + (size_t)blocks * FR_BLOCK_SIZE;
}

/* Returns the name of a thread: its creation path; NULL if unknown, or for id 0. */
const char *fr_execution_thread(const struct fr_execution *r, uint32_t id);
/* The same for a message: "?" if unknown. */
const char *fr_execution_thread_text(const struct fr_execution *r, uint32_t id);
/* Returns the number of hooks that the thread with this path executed. */
uint64_t fr_execution_hooks(const struct fr_execution *r, const char *path);

#endif
