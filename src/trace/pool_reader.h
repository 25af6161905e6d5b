/*
 * The recorder's side of the pool (format/pool.h): makes the file, takes full blocks to the trace,
 * gives them back, and at the end takes what the dead program left.
 *
 * Nothing in the pool is trusted: the program may have written anything over it. Numbers are
 * clamped, lists are walked no longer than there are blocks.
 */
#ifndef FR_TRACE_POOL_READER_H
#define FR_TRACE_POOL_READER_H

#include "base/err.h"
#include "base/mem.h"
#include "format/pool.h"
#include "trace/writer.h"
#include <stdbool.h>

struct fr_poolfile {
	char *path;
	int fd;
	struct fr_pool *p;
	uint32_t reserved;   /* our own count: the pool's can be scribbled over */
	bool reserve_failed; /* no more disk space for blocks */
	uint32_t seen;	     /* full_wake before the last drain */
	uint64_t damaged;    /* blocks that were not understood, and dropped */
};

/* Makes the file and its first blocks. No disk space is an error that says so. */
int fr_poolfile_create(const char *path, const char *options, uint32_t max_blocks,
		       struct fr_poolfile **ret, struct fr_err *reterr);
/*
 * The path of a pool as the program gets it, a new string: with slashes in front up to one length,
 * so that the program's stack begins at the same address whatever the folder is called.
 */
char *fr_pool_padded(const char *path);
/* Unmaps and closes. */
void fr_poolfile_free(struct fr_poolfile *f);
/* Removes the file. `all`: gives its disk space back even if somebody still maps it. */
void fr_poolfile_remove(struct fr_poolfile *f, bool all);

/* Sleeps until something has happened since the last drain, or for the time given. */
void fr_poolfile_wait(struct fr_poolfile *f, unsigned milliseconds);
/* Ends a wait in another thread. */
void fr_poolfile_wake(struct fr_poolfile *f);
/*
 * Takes full blocks to the writer and gives them back; reserves more when threads wait for some.
 * Returns the number of blocks, or -errno when the trace could not be written or no block reserved
 * (the caller stops the recording then).
 */
int fr_poolfile_drain(struct fr_poolfile *f, struct fr_writer *w);
/* Recording stops, the program goes on. */
void fr_poolfile_stop(struct fr_poolfile *f, int stop_errno);
/* The program is gone: adds everything that is left to the writer, calls that it was in included.
 */
void fr_poolfile_finish(struct fr_poolfile *f, struct fr_writer *w);

/* What is left in a pool whose program is gone, in order of (thread, seq). */
struct fr_leftover {
	uint32_t thread, seq, used, block;
	uint64_t first_idx;
};
typedef FR_VEC(struct fr_leftover) fr_leftover_vec;
/* `size` is that of the mapping. Blocks without events are left out. */
void fr_pool_leftovers(const struct fr_pool *p, uint64_t size, fr_leftover_vec *ret);
/* The threads of a pool, at most as many as can be. */
uint32_t fr_pool_thread_count(const struct fr_pool *p);
/* The event that says that a thread was still in a call; false if it was not. */
bool fr_pool_pending(const struct fr_pool_thread *t, struct fr_event *ret);

#endif
