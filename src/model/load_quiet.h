/*
 * The state of each granule during the search for phases: whether it is still quiet, and if not,
 * from which stretch on its accesses are kept. load_phase.c explains the rules.
 */
#ifndef FR_MODEL_LOAD_QUIET_H
#define FR_MODEL_LOAD_QUIET_H

#include "base/mem.h"
#include <stdbool.h>
#include <stdint.h>

#define FR_QUIET UINT32_MAX

struct fr_epoch {
	uint32_t n;	 /* clock of the thread */
	uint16_t thread; /* + 1; 0 = none, UINT16_MAX = several: n is an index into `readers` */
};

struct fr_quiet_state {
	/* before: the last write in an earlier stretch than `write` */
	struct fr_epoch write, before, read;
	uint32_t write_stretch, before_stretch;
	uint32_t from; /* FR_QUIET, or the first stretch to keep; `write` is then the anchor */
};

struct fr_readers {
	FR_VEC(struct fr_epoch) v; /* the latest first */
};

struct fr_quiet {
	struct fr_quiet_state *state; /* one per granule */
	FR_VEC(struct fr_readers) readers;
	FR_VEC(uint32_t) spare; /* unused entries of `readers` */
	/* The current stretch: its number, its thread, and that thread's vector clock. */
	uint32_t stretch, t;
	const uint32_t *now;
};

void fr_quiet_init(struct fr_quiet *q, uint32_t granules);
void fr_quiet_free(struct fr_quiet *q);
/* Records an access of the current stretch to a granule. The caller must present the stretches in
   an order that extends must-happen-before. */
void fr_quiet_access(struct fr_quiet *q, uint32_t granule, bool writes);

#endif
