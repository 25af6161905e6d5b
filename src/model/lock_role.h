/*
 * Objects that play the role of a lock, though their operations are not those of class LOCK.
 *
 * A semaphore is used as a lock if it has one unit, and each thread of the run that uses it takes
 * that unit and gives it back itself, time after time; a thread may still hold it at the end. At
 * least two threads take it. It may get its unit by a first post, if the other threads that
 * use it begin later. Attempts that fail do not matter. A semaphore that another thread
 * posts is a signal, and one with several units admits several threads: these are no locks.
 *
 * Two threads never hold such a semaphore together, in any order of the recorded operations. So it
 * makes atomic regions like a lock, and its operations do not end a region. The other parts of the
 * model, the oracle and the controller still see a semaphore.
 *
 * Wake-ups at the word of a lock that the program makes of atomics (atomic_lock.h), such as those
 * of std::binary_semaphore, are part of that lock. They do not end a region either.
 */
#ifndef FR_MODEL_LOCK_ROLE_H
#define FR_MODEL_LOCK_ROLE_H

#include "model/model.h"

struct fr_lock_roles {
	const struct fr_model *m;
	bool *sem;  /* by semaphore: it is used as a lock */
	bool *cond; /* by condition: it is the word of a lock */
};

void fr_lock_roles_init(struct fr_lock_roles *r, const struct fr_model *m);
void fr_lock_roles_free(struct fr_lock_roles *r);

/* The operation of an event: ACQUIRE or RELEASE if it takes or gives such a semaphore, otherwise
   its own. */
static inline unsigned fr_lock_roles_op(const struct fr_lock_roles *r, const struct fr_mev *v)
{
	if (v->op == FR_OP_SEM_WAIT && r->sem[v->obj])
		return FR_OP_ACQUIRE;
	return v->op == FR_OP_SEM_POST && r->sem[v->obj] ? FR_OP_RELEASE : v->op;
}

/* The number of the lock that such an event takes or gives; those of semaphores follow those of
   locks. */
static inline uint32_t fr_lock_roles_lock(const struct fr_lock_roles *r, const struct fr_mev *v)
{
	return fr_op_class[v->op] == FR_C_SEM ? r->m->cls[FR_C_LOCK].n + v->obj : v->obj;
}

/* Like fr_op_separates, but operations that belong to a lock do not separate. */
bool fr_lock_roles_separates(const struct fr_lock_roles *r, const struct fr_mev *v);

#endif
