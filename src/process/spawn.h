/*
 * Starts the program, and the entry to the module `process`: everything that the recorder
 * (record/session.c) and a re-execution (confirm/execution.c) both do with the processes of the
 * program, from outside.
 *
 *   spawn.c          starts the program
 *   box.c            the namespaces in which a re-execution finds the files as they were;
 *                    box_fix.c restores those files
 *   ghost.c          starts and ends the ghost, which plays the peers of the recorded run in the
 *                    box; ghost_play.c is the process of the ghost
 *   turn_watch.c     notices a thread that waits where the controller cannot see it
 *   hang_watch.c     notices a recorded program in which every thread waits for ever
 *   terminal_wait.c  decides whether a thread waits for input from the terminal
 *   own_object.c     finds objects of the kernel that the program alone can use
 *   task.c           facts from /proc about a thread; the watchers and terminal_wait.c use it
 *
 * The child shares the memory of this process until it executes the program (vfork). So a start
 * copies nothing, whatever the size of this process, several threads can start programs at the same
 * time, and the child leaves its error in a variable. Failure: every function returns -errno, or
 * says that it does not know; none trusts the memory of the program.
 */
#ifndef FR_PROCESS_SPAWN_H
#define FR_PROCESS_SPAWN_H

#include "process/box.h"
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct fr_spawn {
	const char *path;   /* the file to execute */
	char **argv, **env; /* end with NULL */
	const char *dir;    /* working folder; NULL: the present one */
	int stream[3];	    /* the descriptors that become 0 to 2; -1: closed */
	bool session;	    /* a session of its own, with stream[0] as its terminal */
	bool group;	    /* a process group of its own */
	sigset_t mask;	    /* blocked signals */
	/* signals that are ignored, and that have the default action; others stay as they are */
	sigset_t ignored, defaults;
	const struct fr_box *box; /* NULL: in the world as it is */
	int inherited
	    [3]; /* in a box with its own users: descriptors for frt_open_shared; -1: none */
};

/* Returns 0, or -errno if the process cannot be made or the file cannot be executed. A file without
   a known format is a script for /bin/sh, as for execvp. */
int fr_spawn(const struct fr_spawn *s, pid_t *ret);
/* Returns a copy of the environment `env` in which `setting`, "NAME=value", replaces the entry of
   that name, or comes last, where setenv puts it. The caller frees the array. */
char **fr_spawn_env(char *const *env, char *setting);
/* Switches address randomisation off for everything that this thread, and threads it creates, will
   start. False: not possible. */
bool fr_spawn_fixed(void);

#endif
