/*
 * Starts the recorded program again as it was: file, arguments, environment, folder, standard
 * streams of the same kind, addresses not randomised, in a process group of its own.
 */
#ifndef FR_CONFIRM_LAUNCH_H
#define FR_CONFIRM_LAUNCH_H

#include "base/err.h"
#include "confirm/ghost_file_build.h"
#include "process/box.h"
#include "trace/run_info.h"
#include <stdbool.h>
#include <sys/types.h>

struct fr_launch {
	const struct fr_run *run;
	char *input; /* file with its recorded standard input; NULL = none */
	char **argv;
	char **env;
	bool fixed;			/* addresses are not randomised */
	const struct fr_box *box;	/* each start gets such a box; NULL: none */
	const struct fr_ghosts *ghosts; /* play the outside in it; NULL: none do */
};

/*
 * Checks everything that can be checked without a start: the program, its libraries and its input
 * exist and are those of the recording. -ENOTSUP: the trace was imported, so there is no program.
 * `run` must outlive *s. Switches address randomisation off for everything that this thread, and
 * threads it creates, will start.
 */
int fr_launch_prepare(struct fr_launch *s, const char *dir, const struct fr_run *run,
		      struct fr_err *reterr);
void fr_launch_free(struct fr_launch *s);

/* Our ends of its standard streams; -1 = none. */
struct fr_launched {
	pid_t pid;
	char *setting; /* pool setting of its environment, inherited by its children */
	int pidfd;
	int in;	      /* write its input here; never blocks */
	int slave;    /* its terminal, if it reads from one; `in` is then not used */
	int master;   /* of its terminal; must be read */
	int sink;     /* file for the terminal's output: out, err, or -1 = nowhere */
	int pipe[2];  /* its output, where that is no terminal */
	int out, err; /* files with all its output; err is -1 if merged into out */
};
/* Starts the program. pool: where it finds the pool; inherited: the descriptors of pool, control
   file and ghost file (-1: none), for a program in a box. On success, call fr_launched_end
   later. */
int fr_launch(const struct fr_launch *s, const char *pool, const int inherited[3],
	      struct fr_launched *ret, struct fr_err *reterr);
/* Copies new output from the terminal and the pipes to the files. Call it now and then. True: call
   it again soon, or the program has to wait. */
bool fr_launched_drain(struct fr_launched *p);
/* Becomes the program, on this process's streams except for recorded input. Returns on failure. */
int fr_launch_become(const struct fr_launch *s, const char *pool, struct fr_err *reterr);
/* Ends all processes of the program and reaps it. Returns the status as waitpid gives it. `out` and
   `err` stay open. */
int fr_launched_end(struct fr_launched *p);

#endif
