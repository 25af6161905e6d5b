/*
 * The program's standard streams: forerun forwards them and keeps copies in the run folder.
 *
 * If stdin is a regular file or /dev/null, the program gets it directly, and forerun copies the
 * rest of the file. Any other stdin is pumped through a pipe. stdout and stderr are always pumped.
 * If they are the same pipe, device or open file, they share one pipe, which preserves their order.
 * If a stream is a terminal, a pseudo-terminal replaces the pipe, so that the program still sees a
 * terminal.
 *
 * Each pump is a thread that blocks only on its own stream, so that it cannot delay another. The
 * pumps run in a separate process, the carrier, which outlives a killed recorder.
 */
#ifndef FR_RECORD_STREAM_H
#define FR_RECORD_STREAM_H

#include "base/err.h"
#include "trace/run_info.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

#define FR_PUMPS 4

/* The progress of a pump, in memory that the carrier shares with the recorder. */
struct fr_flow {
	_Atomic uint64_t bytes; /* bytes in the copy */
	_Atomic bool cut;	/* the copy is incomplete */
	_Atomic bool ended;
};
struct fr_flows {
	_Atomic bool raw; /* the terminal's settings were changed */
	struct fr_flow flow[FR_PUMPS];
};

struct fr_pump {
	struct fr_streams *all;
	int from, to;  /* -1: none; `from` of an output belongs to the pump */
	int keep;      /* the copy in the run folder, belongs to the pump; -1: none */
	bool input;    /* forwards to the program */
	bool close_to; /* `to` is a pipe that belongs to the pump */
	struct fr_flow *flow;
	struct fr_run_stream *stat; /* NULL: not one of the three streams */
};

struct fr_streams {
	bool closed[3];	 /* the stream was not open when forerun started */
	int child[3];	 /* the descriptor that the program gets; -1: closed */
	int to_close[8]; /* descriptors that only the program needs */
	unsigned n_close;
	int master;   /* of the pseudo-terminal, -1: none */
	int terminal; /* the real terminal that it replaces */
	bool session; /* the pseudo-terminal becomes the program's controlling terminal */
	struct termios saved;
	int stop_fd;  /* readable: input pumps stop */
	int gone_fd;  /* readable: the program has ended, output pumps stop when idle */
	int ended_fd; /* readable: a pump has ended */
	struct fr_flows *flows;
	struct fr_pump pump[FR_PUMPS];
	unsigned n_pumps;
	pid_t carrier;		    /* 0: none */
	int line;		    /* socket between recorder and carrier */
	struct fr_run_stream *stat; /* 3 of them */
};

/* Call it before any file is opened: opens /dev/null for closed descriptors among 0 to 2. */
void fr_streams_guard(struct fr_streams *s);
/* Opens pipes, pseudo-terminal and the copies in dir. Fills in run_streams[3]. */
int fr_streams_open(struct fr_streams *s, const char *dir, struct fr_run_stream *run_streams,
		    struct fr_err *reterr);
/* After the program has ended: waits until the pumps are empty and ends them. Kills pumps that are
   stuck once give_up(arg) returns true. Fills in the sizes of the copies. */
void fr_streams_finish(struct fr_streams *s, bool (*give_up)(void *), void *arg);
/* Copies the terminal's size to the pseudo-terminal, after SIGWINCH. */
void fr_streams_resize(struct fr_streams *s);
/* Restores the terminal's settings. Idempotent. */
void fr_streams_restore(struct fr_streams *s);

#endif
