/*
 * The recorder's side of the pool (format/pool.h). It makes the file, moves full blocks to the
 * trace and frees them, and reads the remaining blocks after the program has ended. The other side
 * is runtime/core/rt_pool.c.
 *
 * The recorder does not trust the pool, because the program may have overwritten it: it clamps
 * numbers and bounds the length of lists.
 */
#ifndef FR_TRACE_POOL_READER_H
#define FR_TRACE_POOL_READER_H

#include "base/err.h"
#include "base/mem.h"
#include "format/pool.h"
#include "trace/writer.h"
#include <stdbool.h>

struct fr_pool_reader {
	char *path;
	int fd;
	struct fr_pool *p;
	uint32_t reserved;   /* private count: the program may overwrite the pool's */
	bool reserve_failed; /* no more disk space for blocks */
	uint32_t seen;	     /* value of full_wake before the last drain */
	uint64_t damaged;    /* invalid blocks, which were dropped */
};

/* Makes the file and reserves its first blocks. Fails if the disk is full. */
int fr_pool_reader_create(const char *path, const char *options, uint32_t max_blocks,
			  struct fr_pool_reader **ret, struct fr_err *reterr);
/*
 * Returns the pool's path for the program's environment, as a new string. Leading slashes pad it to
 * a fixed length, so that the program's stack begins at the same address for every folder.
 */
char *fr_pool_padded(const char *path);
/* Unmaps and closes. */
void fr_pool_reader_free(struct fr_pool_reader *f);
/* Removes the file. `all`: frees its disk space even if a process still maps it. */
void fr_pool_reader_remove(struct fr_pool_reader *f, bool all);

/* Sleeps until a thread has asked for service since the last drain, at most for the given time. */
void fr_pool_reader_wait(struct fr_pool_reader *f, unsigned milliseconds);
/* Ends a wait in another thread. */
void fr_pool_reader_wake(struct fr_pool_reader *f);
/*
 * Writes full blocks to the trace and frees them; reserves more blocks if threads wait for some.
 * Returns the number of blocks written, or -errno if the trace could not be written or no block
 * could be reserved. The caller then stops the recording.
 */
int fr_pool_reader_drain(struct fr_pool_reader *f, struct fr_writer *w);
/* Stops the recording. The program continues. */
void fr_pool_reader_stop(struct fr_pool_reader *f, int stop_errno);
/* After the program has ended: adds all remaining events to the writer, and a PENDING event for
   each thread that was in a blocking call. */
void fr_pool_reader_finish(struct fr_pool_reader *f, struct fr_writer *w);

/* A block that is left in the pool of an ended program. Sorted by (thread, seq). */
struct fr_leftover {
	uint32_t thread, seq, used, block;
	uint64_t first_hook;
};
typedef FR_VEC(struct fr_leftover) fr_leftover_vec;
/* Finds the leftover blocks with events. `size` is the size of the mapping. */
void fr_pool_leftovers(const struct fr_pool *p, uint64_t size, fr_leftover_vec *ret);
/* Returns the number of thread slots in use, clamped to FR_POOL_MAX_THREADS. */
uint32_t fr_pool_thread_count(const struct fr_pool *p);
/* Makes the PENDING event of a thread that was in a blocking call. Returns false if it was not. */
bool fr_pool_pending(const struct fr_pool_thread *t, struct fr_event *ret);

#endif
