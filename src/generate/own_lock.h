/*
 * Words that may be locks, for the deadlock generator. The model already has the words that can
 * only be locks (model/atomic_lock.h). This file finds the others: atomic updates such as fetch_add
 * set them free, and the pass knows no loop that waits for them. An example is a C++ semaphore that
 * lets one thread in.
 *
 * A lock that the program makes of atomic accesses: an exchange, compare-and-swap or other atomic
 * update turns the free value into another one, and the same thread later stores the free value.
 * Attempts that find the lock taken, and reads, change nothing.
 *
 * Recognised only if each write to the memory fits, and at least two threads took the lock. A
 * counter that one thread at a time raises and lowers looks the same; nothing waits for it, so a
 * re-execution refutes its deadlocks.
 * Not recognised: locks of several words, such as ticket locks.
 */
#ifndef FR_GENERATE_OWN_LOCK_H
#define FR_GENERATE_OWN_LOCK_H

#include "model/model.h"

struct fr_own_lock {
	uint32_t loc;
	uint8_t mask;  /* its bytes of the location */
	uint64_t free; /* its value while nobody holds it */
};
struct fr_own_locks {
	FR_VEC(struct fr_own_lock) lock;
	struct fr_map index; /* location << 8 | mask -> index + 1 */
};

void fr_own_locks_find(struct fr_own_locks *x, const struct fr_model *m);
void fr_own_locks_free(struct fr_own_locks *x);
/* Index of the lock that an event accesses; UINT32_MAX: none. */
uint32_t fr_own_lock_of(const struct fr_own_locks *x, const struct fr_mev *v);

/* The effect of a part of a step on a lock of this kind. */
enum fr_own_does { FR_OWN_READS, FR_OWN_TAKES, FR_OWN_FREES, FR_OWN_OTHER };
/* `owner`: the thread + 1 that holds it now; 0 = none. A READ that is followed by its own WRITE
   counts as FR_OWN_READS; the WRITE then decides. */
enum fr_own_does fr_own_lock_does(const struct fr_own_lock *l, const struct fr_model *m, fr_ev e,
				  uint32_t owner);

#endif
