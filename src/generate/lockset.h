/*
 * Sets of locks as small numbers. Equal sets have equal numbers; 0 is the empty set. If there are
 * too many sets, a number stands only for the lock acquired last and is not exact. FR_LOCKSET_MANY
 * is a set about which nothing is known.
 */
#ifndef FR_GENERATE_LOCKSET_H
#define FR_GENERATE_LOCKSET_H

#include "model/model.h"

#define FR_LOCKSET_MANY UINT16_MAX

/* lock << 1 | shared, ascending */
typedef uint64_t fr_locked;

struct fr_locksets {
	FR_VEC(uint32_t) start; /* start of each set in `locked`, and the end */
	FR_VEC(fr_locked) locked;
	FR_VEC(bool) exact;
	struct fr_map by_hash; /* hash of a set -> its number; a clash uses the next free key */
	struct fr_lockset_thread {
		FR_VEC(fr_locked) taken; /* the locks it holds, in the order of acquisition */
		uint16_t set;		 /* the number of its set, unless stale */
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
/* Records an acquire or a release. */
void fr_locksets_step(struct fr_locksets *l, const struct fr_mev *e);
/* The number of the set that a thread holds now. */
uint16_t fr_locksets_now(struct fr_locksets *l, uint32_t thread);
static inline bool fr_lockset_exact(const struct fr_locksets *l, uint16_t set)
{
	return set != FR_LOCKSET_MANY && l->exact.v[set];
}
/* Do two threads that hold these sets exclude each other? False is certain only if both are
   exact. */
bool fr_locksets_exclude(const struct fr_locksets *l, uint16_t a, uint16_t b);

#endif
