/*
 * Builds control files (format/control_file.h) from schedules: numbers instead of names, and the
 * expectations at each hook. The file exists only in memory, and the program opens it by a path
 * under /proc. The controller in src/runtime/control/ reads it and writes its observations back.
 */
#ifndef FR_CONFIRM_CONTROL_FILE_BUILD_H
#define FR_CONFIRM_CONTROL_FILE_BUILD_H

#include "confirm/recorded.h"
#include "format/control_file.h"
#include "format/pool.h"
#include "findings/schedule_file.h"
#include "trace/run_info.h"

/* A member of a bundle before the last: its targets meet on the way. Thread numbers are those of
   the schedule. */
struct fr_control_file_stop_at {
	uint64_t turn; /* number of turns before it */
	struct fr_schedule_hook target[2];
	unsigned ntargets;		/* 1 or 2 */
	struct fr_schedule_hook *event; /* its events before the targets */
	size_t nevents;
	enum fr_meeting meeting;
};

/* How to follow a schedule by place (format/control_file.h). Threads are those of the schedule. */
struct fr_control_file_by_place {
	enum fr_by_place how;
	uint64_t from, bound;
	const struct fr_control_file_place *place; /* of each turn from `from` on */
	const struct fr_control_file_milestone *milestone;
	uint32_t nmilestones;
	const uint64_t *hold; /* by thread */
	bool goes_on;
};

struct fr_control_file_how {
	bool swapped;	  /* the targets in the other order */
	uint64_t quantum; /* 0 = the default */
	enum fr_control_file_then then;
	bool debugger;	     /* stop when the targets meet */
	uint32_t runs_first; /* without targets: 1 + the schedule's thread that continues first */
	bool other;	     /* made-up times and random numbers instead of recorded ones */
	const struct fr_control_file_stop_at *stop;
	size_t nstops;
	const struct fr_control_file_by_place *by_place; /* NULL: by hook */
};

struct fr_control_file_handle {
	int fd;
	struct fr_control_file *c;   /* shared with the program, until fr_control_file_take */
	struct fr_control_file *own; /* what the tool wrote, without inputs and names; owned */
	size_t size;
	char path[64]; /* valid while this process lives and fd is open */
	char **thread; /* their creation paths, by index of the control file */
	uint32_t nthreads;
};

/* Do threads that yield after the targets come to sleep? */
enum fr_control_file_sleeps fr_control_file_sleeps_of(const struct fr_schedule_file *s,
						      enum fr_control_file_then then);
/* Builds the control file of a schedule. `recorded` may be NULL: then the file expects no outcome,
   and treats no value as an address. Fails if the schedule has threads with unknown creation, or
   too many targets. */
int fr_control_file_build(const struct fr_schedule_file *s, const struct fr_recorded *recorded,
			  const struct fr_control_file_how *how, struct fr_control_file_handle *ret,
			  struct fr_err *reterr);
/* Adds facts about the recorded run: its clocks, and whether it asked about files. patience:
   seconds of real time to wait for other processes and for input when no thread can run; 0 = the
   default, FR_PATIENCE_S plus FR_PATIENCE_TIMES the recorded run's time. */
#define FR_PATIENCE_S 5
#define FR_PATIENCE_TIMES 2
void fr_control_file_add_world(struct fr_control_file *c, const struct fr_run *run,
			       double patience);
/* Returns the number of turns that lead to the targets. Trailing turns of threads without a target
   are left out unless they contain an event of the finding. The targets become pending without
   them. */
size_t fr_control_file_turns_needed(const struct fr_schedule_file *s);
/* Call it when the program is over: replaces f->c by a private copy. The copy has the tool's part
   unchanged, and the program's numbers within their limits. */
void fr_control_file_take(struct fr_control_file_handle *f);
/* f is zero-initialised or built. */
void fr_control_file_free(struct fr_control_file_handle *f);

#endif
