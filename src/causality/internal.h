/* What the parts of the causality share. */
#ifndef FR_CAUSALITY_INTERNAL_H
#define FR_CAUSALITY_INTERNAL_H

#include "causality/bits.h"
#include "causality/causality.h"
#include "causality/clock.h"

/* Where something came in from another thread: the clock holds from this event on. */
struct fr_point {
	fr_ev at;
	fr_clock clock;
};

/* Every FR_HELD_STEP events of a thread the locks that it holds are written down. */
#define FR_HELD_STEP 64
struct fr_held_mark {
	FR_VEC(uint32_t) start; /* in acquire; one for each mark and one at the end */
	FR_VEC(fr_ev) acquire;
};

/* Every FR_SEM_STEP events of a semaphore, how many posts and waits there were before. */
#define FR_SEM_STEP 64
struct fr_sem_mark {
	uint32_t posts, waits;
};

struct fr_cthread {
	FR_VEC(struct fr_point) point;
	struct fr_held_mark held;
};

struct fr_causality {
	const struct fr_model *m;
	struct fr_clocks clocks;
	struct fr_cthread *thread;
	struct fr_bits cut;   /* places where nobody holds a lock or waits */
	struct fr_bits write; /* places in the list of locations at which there is a WRITE */
	struct fr_map signal; /* WAIT: what serves it */
	uint32_t *sem_first;  /* of each semaphore: its first mark */
	struct fr_sem_mark *sem_mark;
};

/* serve.c */
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
/* The acquisition that a release ends, out of those held (innermost last): its place, n if none. */
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
