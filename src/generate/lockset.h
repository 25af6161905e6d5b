/*
 * Sets of locks as small numbers: equal sets have equal numbers, 0 is the empty one. Where there
 * are too many, a number stands for a part of what is held, the lock that was taken last, and is
 * not exact; FR_LOCKSET_MANY is a set of which nothing is known.
 */
#ifndef FR_GENERATE_LOCKSET_H
#define FR_GENERATE_LOCKSET_H

#include "model/model.h"

#define FR_LOCKSET_MANY UINT16_MAX

/* lock << 1 | shared, ascending */
typedef uint64_t fr_locked;

struct fr_locksets {
	FR_VEC(uint32_t) start; /* of each set in `locked`, and the end */
	FR_VEC(fr_locked) locked;
	FR_VEC(bool) exact;
	struct fr_map by_hash; /* of what is in a set: its number; the next free one on a clash */
	struct fr_lockset_thread {
		FR_VEC(fr_locked) taken; /* what it holds, in the order in which it was taken */
		uint16_t set;		 /* its number, unless stale */
		bool stale;
	} *thread;
	uint32_t nthreads;
};

void fr_locksets_init(struct fr_locksets *l, uint32_t nthreads);
void fr_locksets_free(struct fr_locksets *l);
static inline bool fr_changes_locks(const struct fr_mev *e)
{
	return e->op >= FR_OP_ACQUIRE && e->op <= FR_OP_RELEASE_SHARED;
}
/* A thread acquires or releases. */
void fr_locksets_step(struct fr_locksets *l, const struct fr_mev *e);
/* The number of what a thread holds now. */
uint16_t fr_locksets_now(struct fr_locksets *l, uint32_t thread);
static inline bool fr_lockset_exact(const struct fr_locksets *l, uint16_t set)
{
	return set != FR_LOCKSET_MANY && l->exact.v[set];
}
/* Do two threads that hold these exclude each other? Certain only if true, or both are exact. */
bool fr_locksets_exclude(const struct fr_locksets *l, uint16_t a, uint16_t b);

#endif
