/*
 * What is known of each granule while phases are looked for: is it still quiet, and if not, from
 * which segment on are its accesses kept? The rules are in load_phase.c.
 */
#ifndef FR_MODEL_LOAD_QUIET_H
#define FR_MODEL_LOAD_QUIET_H

#include "base/mem.h"
#include <stdbool.h>
#include <stdint.h>

#define FR_QUIET UINT32_MAX

struct fr_epoch {
	uint32_t n;	 /* clock of the thread */
	uint16_t thread; /* + 1; 0: none, UINT16_MAX: many, see `readers` */
};

struct fr_quiet_state {
	struct fr_epoch write, before, read; /* before: the write before the last, of another
						segment */
	uint32_t write_segment, before_segment;
	uint32_t from; /* FR_QUIET, or the segment; then `write` is the anchor */
};

struct fr_readers {
	FR_VEC(struct fr_epoch) v; /* the latest first */
};

struct fr_quiet {
	struct fr_quiet_state *state; /* of each granule */
	FR_VEC(struct fr_readers) readers;
	FR_VEC(uint32_t) spare; /* of readers */
	/* The segment at hand: its number, thread, and the segments of each thread before it. */
	uint32_t segment, t;
	const uint32_t *now;
};

void fr_quiet_init(struct fr_quiet *q, uint32_t granules);
void fr_quiet_free(struct fr_quiet *q);
/* The segment at hand touches a granule. Segments come in an order that extends what must happen
   before what. */
void fr_quiet_access(struct fr_quiet *q, uint32_t granule, bool writes);

#endif
