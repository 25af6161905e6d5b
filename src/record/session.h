/*
 * One recording: the run folder, the pool, the program, the thread that drains the pool, the
 * streams. Whatever happens to the program, and to the recorder short of SIGKILL, the folder is
 * finished.
 */
#ifndef FR_RECORD_SESSION_H
#define FR_RECORD_SESSION_H

#include "base/err.h"
#include "record/stream.h"
#include "trace/pool_reader.h"
#include "trace/run_info.h"
#include "trace/writer.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>

struct fr_session {
	char *dir;   /* exists and is empty */
	char *path;  /* the file to start */
	bool script; /* ... is no ELF file: what it starts is recorded */
	char **argv; /* of the program */
	char *exe;   /* what the recorded process runs, if that could be seen */
	struct fr_run run;
	struct fr_poolfile *pool;
	struct fr_writer *writer;
	struct fr_sites *sites;	    /* after the end */
	struct fr_initial *initial; /* after the end */
	struct fr_streams streams;
	pid_t child;
	int recorded_fd; /* pidfd of the process that attached, if it is not the child; -1 */
	int signal_fd;
	sigset_t old_mask;
	void (*old_pipe)(int), (*old_xfsz)(int), (*old_chld)(int);
	unsigned signals; /* asked to end, so often */
	pthread_t drainer;
	bool draining;
	_Atomic bool stop;
	_Atomic int write_errno; /* the trace could not be written */
	_Atomic bool noted;	 /* recorded_fd and exe are there, if they can be */
	bool attached;
	bool cut; /* the recorded process was still alive at the end */
};

/* Before anything else: the streams as they were found. */
void fr_session_init(struct fr_session *s);
/* Makes everything in s->dir, with s->run filled in as far as known. */
int fr_session_prepare(struct fr_session *s, const char *options, uint32_t max_blocks,
		       struct fr_err *reterr);
/* Starts the program. */
int fr_session_start(struct fr_session *s, struct fr_err *reterr);
/* Until the program has gone; its status is in s->run. */
void fr_session_wait(struct fr_session *s);
/* Writes everything down. */
int fr_session_finish(struct fr_session *s, struct fr_err *reterr);
void fr_session_clear(struct fr_session *s);

/* For the parts of it: a file in the folder, as a new string; run.json; signals that have come. */
char *fr_session_path(const struct fr_session *s, const char *name);
int fr_session_write_run(struct fr_session *s, struct fr_err *reterr);
void fr_session_read_signals(struct fr_session *s);

#endif
