/*
 * The trace file, writing. Blocks gather in memory until fr_writer_flush appends them with one
 * write.
 *
 * Invariant: the file ends at the border of a block after every flush, failed ones included, and
 * the blocks of each thread stand in it without a gap. What a failed flush did not write is kept,
 * so that it can be tried again when there is room.
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

int fr_writer_create(const char *path, const uint8_t run_id[16], struct fr_writer **ret,
		     struct fr_err *reterr);
void fr_writer_free(struct fr_writer *w);

/*
 * Adds slots of a thread: its block number seq. A block that is already there is ignored. Returns
 * 0, or -EINVAL when a block before it is missing or the numbers make no sense.
 */
int fr_writer_add(struct fr_writer *w, uint32_t thread, uint32_t seq, uint64_t first_idx,
		  const struct fr_event *e, uint32_t n);
/* The number of the next block of a thread. */
uint32_t fr_writer_next(const struct fr_writer *w, uint32_t thread);
/* Writes what was added. 0 or -errno. */
int fr_writer_flush(struct fr_writer *w);
/* Gives up what could not be written. */
void fr_writer_discard(struct fr_writer *w);
/* Writes the end block. The threads are those of the pool; stop_errno: recording stopped early. */
int fr_writer_end(struct fr_writer *w, const struct fr_pool_thread *threads, uint32_t n,
		  int stop_errno);

/* What the events that were added say of sites. */
const struct fr_units *fr_writer_units(const struct fr_writer *w);

/* What was written. */
struct fr_writer_stats {
	uint64_t threads; /* that have events */
	uint64_t slots, blocks, bytes;
	uint64_t events; /* slots that are events of the program: no EXT, no structure */
};
struct fr_writer_stats fr_writer_stats(const struct fr_writer *w);

#endif
