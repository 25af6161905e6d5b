/* Data shared by the files of this folder. */
#ifndef FR_CAUSALITY_INTERNAL_H
#define FR_CAUSALITY_INTERNAL_H

#include "causality/bits.h"
#include "causality/causality.h"
#include "causality/clock.h"

/* A point where a thread learns about another thread: the clock is valid from this event on. */
struct fr_point {
	fr_ev at;
	fr_clock clock;
};

/* Every FR_HELD_STEP events of a thread, a snapshot lists the locks that it holds. */
#define FR_HELD_STEP 64
struct fr_held_snapshot {
	FR_VEC(uint32_t) start; /* index into `acquire` for each snapshot, and the end */
	FR_VEC(fr_ev) acquire;
};

/* Every FR_SEM_STEP events of a semaphore, a snapshot counts the earlier posts and waits. */
#define FR_SEM_STEP 64
struct fr_sem_snapshot {
	uint32_t posts, waits;
};

struct fr_cthread {
	FR_VEC(struct fr_point) point;
	struct fr_held_snapshot held;
};

struct fr_causality {
	const struct fr_model *m;
	struct fr_clocks clocks;
	struct fr_cthread *thread;
	struct fr_bits cut;   /* events before which no thread holds a lock or waits */
	struct fr_bits write; /* indices of the WRITEs in the list of locations */
	struct fr_map signal; /* WAIT -> the signal that serves it */
	uint32_t *sem_first;  /* index of the first snapshot of each semaphore */
	struct fr_sem_snapshot *sem_snapshot;
};

/* wait_server.c */
void fr_causality_signals(struct fr_causality *c);
void fr_causality_semaphores(struct fr_causality *c);

static inline bool fr_is_acquire(unsigned op)
{
	return op == FR_OP_ACQUIRE || op == FR_OP_ACQUIRE_SHARED;
}
static inline bool fr_is_release(unsigned op)
{
	return op == FR_OP_RELEASE || op == FR_OP_RELEASE_SHARED;
}
/* The acquisition that a release ends, among those held (innermost last). Returns its index, or
   n. */
static inline uint32_t fr_held_find(const struct fr_model *m, const fr_ev *held, uint32_t n,
				    const struct fr_mev *release)
{
	unsigned op = release->op == FR_OP_RELEASE ? FR_OP_ACQUIRE : FR_OP_ACQUIRE_SHARED;

	for (uint32_t i = n; i--;)
		if (m->ev[held[i]].obj == release->obj && m->ev[held[i]].op == op)
			return i;
	return n;
}

#endif
