/*
 * The facts of the recorded run that a re-execution needs besides the schedule: calls that did not
 * simply succeed, inputs from outside, and which values were addresses. One pass over the trace
 * serves every schedule of the run.
 */
#ifndef FR_CONFIRM_RECORDED_H
#define FR_CONFIRM_RECORDED_H

#include "base/err.h"
#include "base/mem.h"
#include "format/control_file.h"
#include "trace/trace.h"
#include <stdbool.h>
#include <stdint.h>

/* A call at a hook that failed, timed out, or could have. */
struct fr_recorded_call {
	uint64_t hook;
	uint8_t kind;	 /* enum fr_event_kind */
	uint8_t outcome; /* enum fr_outcome; for SIGNAL_BEGIN the signal */
	bool gap;	 /* SIGNAL_BEGIN: the hook before has no event */
	bool child;	 /* SIGNAL_BEGIN: a child sent the signal */
};

struct fr_recorded_thread {
	char *path;			      /* creation path */
	FR_VEC(struct fr_recorded_call) call; /* by hook */
	struct fr_buf input;		      /* a sequence of struct fr_control_file_input */
};

struct fr_recorded_range {
	uint64_t lo, hi;
};

/* Memory that was allocated once in the run; thread and hook of the allocation are its name. */
struct fr_recorded_object {
	uint64_t lo, hi, hook;
	uint32_t thread; /* index into `thread` */
};

struct fr_recorded {
	FR_VEC(struct fr_recorded_thread) thread;
	FR_VEC(struct fr_recorded_range) range;	  /* modules, heap, stacks: disjoint, ascending */
	FR_VEC(struct fr_recorded_object) object; /* likewise; empty if there were too many */
	bool many;
	uint64_t handlers;	    /* that ran because of a signal from elsewhere */
	uint64_t handled_here;	    /* signals, one bit each: the sender handled them */
	uint64_t handled_elsewhere; /* another thread did */
	FR_VEC(struct fr_control_file_name) name; /* by hash, one for each name */
	/* the run changed something outside the program, or started a process */
	bool shared;
	FR_VEC(uint32_t) child; /* process ids that fork returned */
	bool foreign;		/* hooks of -fsanitize=thread, which come before the access */
};

/* Reads the whole trace. The caller frees *ret with fr_recorded_free. */
int fr_recorded_load(const struct fr_trace *t, struct fr_recorded *ret, struct fr_err *reterr);
void fr_recorded_free(struct fr_recorded *r);

/* NULL: the thread is not in the trace. */
const struct fr_recorded_thread *fr_recorded_thread(const struct fr_recorded *r, const char *path);
/* Returns the recorded call at a hook, NULL if none is stored. */
const struct fr_recorded_call *fr_recorded_call(const struct fr_recorded_thread *t, uint64_t hook);
/* Returns the object into which, or to whose end, a value pointed. NULL: none, or several objects
   shared that memory. */
const struct fr_recorded_object *fr_recorded_object(const struct fr_recorded *r, uint64_t value);
/* Was the value an address of the recorded run, ends of ranges included? */
bool fr_recorded_is_address(const struct fr_recorded *r, uint64_t value);
/* Does either half of the value hold the process id of a child? */
bool fr_recorded_is_child(const struct fr_recorded *r, uint64_t value);

#endif
