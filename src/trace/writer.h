/*
 * Writes the trace file. Blocks gather in memory until fr_writer_flush appends them with one write.
 *
 * Invariant: after every flush, also a failed one, the file ends at the end of a block, and the
 * blocks of each thread have no gap. Blocks that a failed flush did not write stay in memory, so
 * that the caller can try again when there is more disk space.
 */
#ifndef FR_TRACE_WRITER_H
#define FR_TRACE_WRITER_H

#include "base/err.h"
#include "format/event.h"
#include "format/pool.h"
#include "format/trace_file.h"
#include "symbols/sites.h"
#include <stdbool.h>
#include <stdint.h>

struct fr_writer;

/* Creates the file, which must not exist, and writes its header. Returns 0 or -errno. */
int fr_writer_create(const char *path, const uint8_t run_id[16], struct fr_writer **ret,
		     struct fr_err *reterr);
void fr_writer_free(struct fr_writer *w);

/*
 * Adds block number seq of a thread. Ignores a block that was added before. Returns 0, or -EINVAL
 * if a block before it is missing or a number is out of range.
 */
int fr_writer_add(struct fr_writer *w, uint32_t thread, uint32_t seq, uint64_t first_hook,
		  const struct fr_event *e, uint32_t n);
/* Returns the number of the thread's next block. */
uint32_t fr_writer_next(const struct fr_writer *w, uint32_t thread);
/* Writes the added blocks. Returns 0 or -errno. */
int fr_writer_flush(struct fr_writer *w);
/* Drops the blocks that could not be written. */
void fr_writer_discard(struct fr_writer *w);
/* Writes the end block with the pool's threads. stop_errno: not 0 if recording stopped early. */
int fr_writer_end(struct fr_writer *w, const struct fr_pool_thread *threads, uint32_t n,
		  int stop_errno);

/* Returns the sites and names that the added events refer to. */
const struct fr_units *fr_writer_units(const struct fr_writer *w);

/* Counts of the written data. */
struct fr_writer_stats {
	uint64_t threads; /* threads with events */
	uint64_t slots, blocks, bytes;
	uint64_t events; /* slots that are events of the program: no EXT, no structure */
};
struct fr_writer_stats fr_writer_stats(const struct fr_writer *w);

#endif
