/*
 * The recorded program, started again as it was: file, arguments, environment, folder, standard
 * streams of the same kind, addresses not randomised, in a process group of its own.
 */
#ifndef FR_CONFIRM_LAUNCH_H
#define FR_CONFIRM_LAUNCH_H

#include "base/err.h"
#include "trace/run_info.h"
#include <stdbool.h>
#include <sys/types.h>

struct fr_launch {
	const struct fr_run *run;
	char *input; /* the file with what it read from standard input; NULL: none */
	char **argv;
	char **env;	 /* ends with NULL */
	char **env_pool; /* where in it the pool is named */
	bool fixed;	 /* addresses are not randomised */
};

/*
 * Checks what can be checked without starting it: the program, its libraries and its input are
 * there, and are those of the recording. -ENOTSUP: there is no program, the trace was imported.
 * `run` must stay. Switches address randomisation off for all that this thread, and those that it
 * makes, will start.
 */
int fr_launch_prepare(struct fr_launch *s, const char *dir, const struct fr_run *run,
		      struct fr_err *reterr);
void fr_launch_free(struct fr_launch *s);

/* The ends of its standard streams. -1: none. */
struct fr_launched {
	pid_t pid;
	char *setting; /* of its environment, that all it starts have too */
	int pidfd;
	int in;	      /* what it reads is still to be written here, never blocking */
	int slave;    /* where it reads from a terminal, that (and `in` is not used) */
	int master;   /* of its terminal, which has to be read */
	int sink;     /* where that goes: out, err, or -1: nowhere */
	int pipe[2];  /* what it prints comes from here, where it is no terminal */
	int out, err; /* files that have all that it wrote; err is -1 where it goes with out */
};
/* pool: the path under which it finds the pool. On success all is to be ended by fr_started_end. */
int fr_launch(const struct fr_launch *s, const char *pool, struct fr_launched *ret,
	      struct fr_err *reterr);
/*
 * What has come out of the terminal and the pipes goes to the files. To be done now and then; soon
 * again if it says so, or the program has to wait.
 */
bool fr_started_drain(struct fr_launched *p);
/* Becomes the program, with the streams of this process except for recorded input. Returns only on
   failure. */
int fr_launch_become(const struct fr_launch *s, const char *pool, struct fr_err *reterr);
/* Ends whatever still runs of it, and reaps; the status as waitpid gives it. `out` and `err` stay
 * open. */
int fr_started_end(struct fr_launched *p);

#endif
