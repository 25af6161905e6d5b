/*
 * What a run under control must know of the recorded one besides its schedule: calls that did not
 * simply succeed, what the program got from outside, and which numbers were addresses.
 *
 * One pass over the trace; serves every schedule of the run.
 */
#ifndef FR_CONFIRM_RECORDED_CALLS_H
#define FR_CONFIRM_RECORDED_CALLS_H

#include "base/err.h"
#include "base/mem.h"
#include "format/control_file.h"
#include "trace/trace.h"
#include <stdbool.h>
#include <stdint.h>

/* A call that failed, timed out, or could have: by its hook. */
struct fr_recall_call {
	uint64_t hook;
	uint8_t kind;	 /* enum fr_event_kind */
	uint8_t outcome; /* enum fr_outcome; of SIGNAL_BEGIN the signal */
};

struct fr_recall_thread {
	char *path;			    /* of creation */
	FR_VEC(struct fr_recall_call) call; /* by hook */
	struct fr_buf input;		    /* struct fr_control_input, one after the other */
};

struct fr_recall_range {
	uint64_t lo, hi;
};

/* Memory that was allocated once in the run, and its name. */
struct fr_recall_object {
	uint64_t lo, hi, hook;
	uint32_t thread; /* in `thread` */
};

struct fr_recall {
	FR_VEC(struct fr_recall_thread) thread;
	FR_VEC(struct fr_recall_range) range;	/* modules, heap, stacks: disjoint, ascending */
	FR_VEC(struct fr_recall_object) object; /* ditto; empty if there were too many */
	bool many;
	uint64_t handlers;		     /* that ran because somebody else sent a signal */
	FR_VEC(struct fr_control_name) name; /* by hash, one for each name */
	bool shared;  /* the run changed something outside of the program, or started a process */
	bool foreign; /* hooks of -fsanitize=thread: they come before the access */
};

int fr_recall_load(const struct fr_trace *t, struct fr_recall *ret, struct fr_err *reterr);
void fr_recall_free(struct fr_recall *r);

/* NULL: the thread is not in the trace. */
const struct fr_recall_thread *fr_recall_thread(const struct fr_recall *r, const char *path);
/* The call at a hook, NULL if it was none of those. */
const struct fr_recall_call *fr_recall_call(const struct fr_recall_thread *t, uint64_t hook);
/*
 * The object that a value pointed into, or to the end of; NULL: none, or there was more than one at
 * that place.
 */
const struct fr_recall_object *fr_recall_object(const struct fr_recall *r, uint64_t value);
/* Whether a value was an address of the recorded run, the end of something included. */
bool fr_recall_is_address(const struct fr_recall *r, uint64_t value);

#endif
