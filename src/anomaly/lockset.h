/*
 * Sets of locks as small numbers: equal sets have equal numbers, 0 is the empty one. Beyond
 * FR_LOCKSET_MANY of them, and for sets that are very large, the number is FR_LOCKSET_MANY: a set
 * that is not known.
 */
#ifndef FR_ANOMALY_LOCKSET_H
#define FR_ANOMALY_LOCKSET_H

#include "trace/model.h"

#define FR_LOCKSET_MANY UINT16_MAX

/* lock << 1 | shared, ascending */
typedef uint64_t fr_locked;

struct fr_locksets {
	FR_VEC(uint32_t) start; /* of each set in `locked`, and the end */
	FR_VEC(fr_locked) locked;
	struct fr_map
	    by_hash;	    /* of a set's content: its number; collisions are put at hash + 1 ... */
	struct fr_map next; /* set, event: the set afterwards */
	struct fr_lockset_thread {
		FR_VEC(fr_locked) held;
		uint16_t set;
	} *thread;
	uint32_t nthreads;
};

void fr_locksets_init(struct fr_locksets *l, uint32_t nthreads);
void fr_locksets_free(struct fr_locksets *l);
/* A thread acquires or releases. */
void fr_locksets_step(struct fr_locksets *l, const struct fr_mev *e);
/* Do two threads that hold these exclude each other? False if one is not known. */
bool fr_locksets_exclude(const struct fr_locksets *l, uint16_t a, uint16_t b);

#endif
