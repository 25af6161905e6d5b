/*
 * run.json: the facts about a recorded run besides its events. The recorder writes it at the start
 * and again at the end. The reader verifies a checksum of the text, so that it notices all damage.
 */
#ifndef FR_TRACE_RUN_INFO_H
#define FR_TRACE_RUN_INFO_H

#include "base/err.h"
#include "base/mem.h"
#include "format/pool.h"
#include "symbols/module.h"
#include <stdbool.h>
#include <stdint.h>

enum { FR_STDIN, FR_STDOUT, FR_STDERR };

enum fr_stream_kind {
	FR_STREAM_NOT_KNOWN,
	FR_STREAM_FILE,
	FR_STREAM_NULL, /* /dev/null */
	FR_STREAM_PIPE,
	FR_STREAM_TTY,
	FR_STREAM_CLOSED,
	FR_STREAM_MERGED, /* stderr: it is the same as stdout */
	FR_STREAM_COUNT
};

struct fr_run_stream {
	enum fr_stream_kind kind;
	uint64_t bytes; /* size of the copy, the folder's file of the stream's name */
	bool kept;	/* the copy is complete */
};

struct fr_run_unmodelled {
	char *name;
	uint64_t calls;
};

struct fr_run {
	char *version; /* version of forerun */
	uint8_t run_id[16];
	char *program;		  /* as given */
	char *path;		  /* absolute path of the file that was started */
	FR_VEC(char *) args, env; /* args without the program */
	char *cwd;
	char *options;
	char *order;	/* of the threads, as given with --order; NULL: not fixed */
	char *imported; /* the trace file of another tool, as given; NULL: recorded */
	char *started;	/* UTC, ISO 8601 */
	double record_s;
	bool complete;
	char *reason;	   /* why it is not complete; NULL if it is */
	int exit;	   /* exit status, -1 if the program did not exit */
	int signal;	   /* signal that killed the program, 0 if none */
	bool expects_exit; /* the user expects the exit status expect_exit */
	int expect_exit;
	bool asked; /* the user asked forerun to end the program */
	bool
	    hang; /* the threads waited for each other for ever; forerun or a timer ended the run */
	struct fr_crash crash; /* signal 0: not known */
	uint64_t threads, events, slots, trace_bytes;
	uint64_t clock[FR_POOL_CLOCKS]; /* as fr_pool.clock; 0: not known */
	uint64_t memory; /* bytes of the file `memory` (initial.h), 0: no such file */
	bool aslr;	 /* address randomisation was on, because it could not be disabled */
	struct fr_run_stream stream[3];
	uint64_t counters[FR_RTC_COUNT];
	FR_VEC(struct fr_run_unmodelled) unmodelled;
	FR_VEC(struct fr_module_map) modules; /* paths are owned */
};

void fr_run_clear(struct fr_run *r);
/* Copies counters, unmodelled calls and modules from the pool. exe: the path of the module without
   a name. */
void fr_run_from_pool(struct fr_run *r, const struct fr_pool *p, const char *exe);

/* Was standard input something to read from? */
static inline bool fr_run_has_input(const struct fr_run *r)
{
	enum fr_stream_kind kind = r->stream[FR_STDIN].kind;

	return kind != FR_STREAM_NOT_KNOWN && kind != FR_STREAM_NULL && kind != FR_STREAM_CLOSED;
}

/* Write (all or nothing) and read run.json. Return 0 or -errno; -EBADMSG for a damaged file. */
int fr_run_write(const char *path, const struct fr_run *r, struct fr_err *reterr);
int fr_run_read(const char *path, struct fr_run *ret, struct fr_err *reterr);

/* The names of the runtime's counters in run.json, and their texts in reports. */
extern const char *const fr_rt_counter_name[FR_RTC_COUNT], *const fr_rt_counter_text[FR_RTC_COUNT];
extern const unsigned fr_rt_counter_loss[FR_RTC_COUNT]; /* FR_LOSS_* */

#endif
