/*
 * The program's standard streams: passed through and kept.
 *
 * stdin that is a regular file or /dev/null is given to the program as it is, with a copy of what
 * is ahead in it; any other is pumped through a pipe. stdout and stderr are always pumped; if they
 * are the same open file they share one pipe, so that their order is kept. Where a stream is a
 * terminal, a pseudo-terminal takes the place of the pipe, so that the program still sees one.
 *
 * Each pump is a thread that blocks in its own flow alone, so none can hold up another. They run in
 * a process of their own, the carrier, which outlives the recorder if that is killed.
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

/* What has come of a pump. In memory that the carrier shares with the recorder. */
struct fr_flow {
	_Atomic uint64_t bytes; /* kept */
	_Atomic bool cut;	/* not all of it could be kept */
	_Atomic bool ended;
};
struct fr_flows {
	_Atomic bool raw; /* the terminal's settings were changed */
	struct fr_flow flow[FR_PUMPS];
};

struct fr_pump {
	struct fr_streams *all;
	int from, to;  /* -1: none; `from` of an output belongs to the pump */
	int keep;      /* file in the run folder, the pump's; -1: none */
	bool input;    /* to the program */
	bool close_to; /* `to` is a pipe, the pump's */
	struct fr_flow *flow;
	struct fr_run_stream *stat; /* NULL: of no stream */
};

struct fr_streams {
	bool closed[3];	 /* was not open when forerun started */
	int child[3];	 /* what the program gets as its descriptor; -1: closed */
	int to_close[8]; /* ends that only the program needs */
	unsigned n_close;
	int master;   /* of the pseudo-terminal, -1: none */
	int terminal; /* the real one that it stands for */
	bool session; /* the pseudo-terminal becomes the program's controlling terminal */
	struct termios saved;
	int stop_fd;  /* readable: input pumps stop */
	int gone_fd;  /* readable: the program has gone, output pumps stop when idle */
	int ended_fd; /* readable: a pump has ended */
	struct fr_flows *flows;
	struct fr_pump pump[FR_PUMPS];
	unsigned n_pumps;
	pid_t carrier;		    /* 0: none */
	int line;		    /* to the carrier, or from it to the recorder */
	struct fr_run_stream *stat; /* of 3 */
};

/* To be called before anything is opened: makes sure that descriptors 0 to 2 are taken. */
void fr_streams_guard(struct fr_streams *s);
/* Opens what is needed; the copies are made in dir. Fills run_streams[3]. */
int fr_streams_open(struct fr_streams *s, const char *dir, struct fr_run_stream *run_streams,
		    struct fr_err *reterr);
/* In the child after fork: puts the descriptors in place. Async-signal-safe. */
void fr_streams_child(struct fr_streams *s);
/* The program has gone: lets the pumps run dry and ends them. Gives up on those that are stuck in
   the outside world once give_up says so. Fills in what was kept. */
void fr_streams_finish(struct fr_streams *s, bool (*give_up)(void *), void *arg);
/* The terminal has another size now. */
void fr_streams_resize(struct fr_streams *s);
/* The terminal as it was found. Idempotent. */
void fr_streams_restore(struct fr_streams *s);

#endif
