/*
 * The inside of atomic_lock.h: what the recognisers of one word, of tickets (atomic_lock.c) and of
 * queues (queue_lock.c) share.
 */
#ifndef FR_MODEL_ATOMIC_LOCK_INTERNAL_H
#define FR_MODEL_ATOMIC_LOCK_INTERNAL_H

#include "base/mem.h"
#include "model/atomic_lock.h"

/* The new form of a step. MARK, THEN_ACQUIRE and THEN_RELEASE keep its accesses, which become
   targets no more; the last two add a part that takes or frees the lock. */
enum atomic_change {
	FR_AC_KEEP,
	FR_AC_DROP,
	FR_AC_ACQUIRE,
	FR_AC_TRY,
	FR_AC_RELEASE,
	FR_AC_FAILED,
	FR_AC_MARK,
	FR_AC_THEN_ACQUIRE,
	FR_AC_THEN_RELEASE,
};

struct atomic_changed {
	fr_ev ev;
	enum atomic_change how;
};

struct atomic_lock_find {
	const struct fr_model *m;
	bool (*waits)(void *arg, uint32_t site);
	void *arg;
	FR_VEC(struct atomic_changed) tried; /* by the word that is examined */
	/* by event: enum atomic_change, and above it the index into `obj`; NULL: no lock yet */
	uint32_t *change;
	FR_VEC(struct fr_mobj) obj;
};

/* Bytes of a location. */
struct lock_word {
	uint32_t loc;
	uint8_t mask;
};

/* Is e the READ of an atomic update, the WRITE of which follows? */
bool fr_atomic_is_update(const struct atomic_lock_find *f, fr_ev e);
/* The next step of e's thread; FR_NO_EV: none. */
fr_ev fr_atomic_next_step(const struct atomic_lock_find *f, fr_ev e);
/* Notes that the step changes: its first event in this way, its other parts are left out, or kept
   and marked. */
void fr_atomic_change(struct atomic_lock_find *f, fr_ev e, enum atomic_change how);

enum { FR_AC_BITS = 4 };
_Static_assert(FR_AC_THEN_RELEASE < 1 << FR_AC_BITS, "an enum atomic_change fits");

/* The new form of an event, and the index into `obj` of its lock. Only if some lock was found. */
static inline enum atomic_change fr_atomic_change_of(const struct atomic_lock_find *f, fr_ev e)
{
	return (enum atomic_change)(f->change[e] & ((1u << FR_AC_BITS) - 1));
}
static inline uint32_t fr_atomic_lock_of(const struct atomic_lock_find *f, fr_ev e)
{
	return f->change[e] >> FR_AC_BITS;
}

/* spin_reads.c: adds the loops that waited for one of the locks. */
struct fr_spin_loops;
void fr_atomic_spin_loops(const struct atomic_lock_find *f, struct fr_spin_loops *ret);

static inline bool fr_atomic_waits(const struct atomic_lock_find *f, fr_ev e)
{
	return f->waits(f->arg, f->m->ev[e].site);
}

/* Is the word the end of the queue of a queue lock? Then the changes are in f->tried. The first
   also asks whether the accesses of the protocol can be left out, as all sections are alike. */
bool fr_is_alike_queue_lock(struct atomic_lock_find *f, struct lock_word w);
bool fr_is_queue_lock(struct atomic_lock_find *f, struct lock_word w);

#endif
