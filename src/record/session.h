/*
 * One recording, and the entry to the module `record`, which runs the program and writes its run
 * folder. cmd/cmd_record.c calls the functions of this header in their order.
 *
 *   recorder  starts the program (process/spawn.h) and the carrier; its main thread (session.c)
 *             waits for signals and for the program; its second thread drains the pool into the
 *             trace (trace/pool_reader.h)
 *   program   writes events into the pool (format/pool.h); found and inspected by program.h
 *   carrier   a process (carrier.h) that forwards the standard streams (stream.h) with one pump
 *             (pump.h), a thread, for each; it outlives a killed recorder
 *
 * The other files:
 *   folder.h          makes and locks the run folder
 *   folder_origin.h   marks it as made by this user
 *   file_keeper.h     keeps the files that the program is about to change; a thread of its own
 *   peer_file.h       the file `peers`, which the program writes
 *   run_order.h       recordings in a fixed order (--order)
 *   service_end.h     ends a recorded service (--for, --until-idle)
 *   session_finish.c  completes the run folder
 *
 * States: init -> prepared (files of the folder exist) -> started (program, carrier and drainer
 * run) -> the program has ended (fr_session_wait) -> finished (session_finish.c has moved the rest
 * of the pool to the trace and written sites, memory and run.json, and removed the pool).
 *
 * Failure: if the program crashes, or the recorder gets a signal other than SIGKILL, the folder is
 * still finished. If the trace cannot be written, recording stops, the program continues, and
 * run.json has the reason. After SIGKILL, the pool stays in the folder, and trace/salvage.c reads
 * it.
 */
#ifndef FR_RECORD_SESSION_H
#define FR_RECORD_SESSION_H

#include "base/err.h"
#include "process/hang_watch.h"
#include "record/file_keeper.h"
#include "record/peer_file.h"
#include "record/run_order.h"
#include "record/service_end.h"
#include "record/stream.h"
#include "trace/pool_reader.h"
#include "trace/run_info.h"
#include "trace/writer.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>

struct fr_session {
	char *dir;   /* the run folder; exists and is empty */
	char *path;  /* the file to start */
	bool script; /* that file is no ELF file: a program that it starts is recorded */
	char **argv; /* of the program */
	char *exe;   /* executable of the recorded process, NULL if it could not be read */
	struct fr_run run;
	struct fr_pool_reader *pool;
	struct fr_writer *writer;
	struct fr_sites *sites;	    /* set by fr_session_finish */
	struct fr_initial *initial; /* set by fr_session_finish */
	struct fr_streams streams;
	struct fr_run_order_file ordered;
	struct fr_hang_watch hang;
	struct fr_keeper keeper;
	struct fr_peer_file peers;
	struct fr_service service;
	pid_t child;
	int recorded_fd; /* pidfd of the recorded process if it is not the child; else -1 */
	int signal_fd;
	sigset_t old_mask;
	void (*old_pipe)(int), (*old_xfsz)(int), (*old_chld)(int);
	unsigned signals; /* number of signals that asked forerun to end */
	pthread_t drainer;
	bool draining;
	_Atomic bool stop;
	_Atomic int write_errno; /* error when writing the trace, 0: none */
	_Atomic bool noted;	 /* recorded_fd and exe are set, if possible */
	bool attached;		 /* a process attached to the pool */
	bool cut;		 /* the recorded process was still alive at the end */
};

/* Call it first, before any file is opened: it records which standard streams are closed. */
void fr_session_init(struct fr_session *s);
/* Creates the files in s->dir. The caller has filled in program, path, args, env and cwd of s->run.
 */
int fr_session_prepare(struct fr_session *s, const char *options, uint32_t max_blocks,
		       const struct fr_run_order *order, struct fr_err *reterr);
/* Starts carrier, program and drainer. */
int fr_session_start(struct fr_session *s, struct fr_err *reterr);
/* Waits for the program to end. Its status is then in s->run. */
void fr_session_wait(struct fr_session *s);
/* Completes the run folder. */
int fr_session_finish(struct fr_session *s, struct fr_err *reterr);
void fr_session_clear(struct fr_session *s);

/* For session_finish.c: returns the path of a file in the folder, as a new string; writes run.json;
   handles pending signals. */
char *fr_session_path(const struct fr_session *s, const char *name);
int fr_session_write_run(struct fr_session *s, struct fr_err *reterr);
void fr_session_read_signals(struct fr_session *s);

#endif
