/*
 * Control files (format/control_file.h) from schedules: numbers for names, what is to be found at
 * each hook, in a file that has no name but that under which the program opens it.
 */
#ifndef FR_CONFIRM_CONTROL_H
#define FR_CONFIRM_CONTROL_H

#include "confirm/recorded_calls.h"
#include "format/control_file.h"
#include "findings/schedule_file.h"
#include "trace/run_info.h"

/* A meeting on the way: the threads of the targets are those of the schedule. */
struct fr_control_stop_at {
	uint64_t turn; /* after so many turns of the schedule */
	struct fr_sched_hook target[2];
	struct fr_sched_hook *event; /* on the way to them; of the schedule's threads */
	size_t nevents;
};

struct fr_control_how {
	bool swapped;	  /* the targets in the other order */
	uint64_t quantum; /* 0: the usual one */
	enum fr_control_then then;
	bool debugger; /* stop where the targets meet */
	uint32_t heir; /* 1 + the schedule's thread that goes on first; without targets */
	bool other;    /* times and random numbers are made up, not those recorded */
	const struct fr_control_stop_at *stop;
	size_t nstops;
};

struct fr_control_file {
	int fd;
	struct fr_control *c; /* shared with the program */
	size_t size;
	char path[64]; /* as long as this process lives and fd is open */
	char **thread; /* their paths, by index of the control file */
	uint32_t nthreads;
};

/*
 * `recall` may be NULL: then no outcome is asked for, and no value is taken for an address. Fails
 * if the schedule has threads whose creation is not known, or more targets than there can be.
 */
int fr_control_build(const struct fr_sched *s, const struct fr_recall *recall,
		     const struct fr_control_how *how, struct fr_control_file *ret,
		     struct fr_err *reterr);
/*
 * Tells the program about the recorded run: its clocks, and whether it asked about files. patience:
 * seconds of real time that the program waits for other processes and for input when none of its
 * threads can run; 0: the default, FR_PATIENCE_S and FR_PATIENCE_TIMES the recorded run's time.
 */
#define FR_PATIENCE_S 5
#define FR_PATIENCE_TIMES 2
void fr_control_world(struct fr_control *c, const struct fr_run *run, double patience);
/*
 * Turns that lead to the targets. The last ones of threads that have none are not needed: every
 * target is at its brink without them.
 */
size_t fr_control_turns_needed(const struct fr_sched *s);
/* Zero-initialised or built. */
void fr_control_free(struct fr_control_file *f);

/* A shared file without a name, of so many bytes, all zero. ret_path: under which this and other
   processes of the user can open it while we have it open. */
int fr_nameless(const char *what, size_t size, int *ret_fd, char ret_path[64],
		struct fr_err *reterr);

#endif
