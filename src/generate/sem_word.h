/*
 * Words of C++ semaphores that the program uses as locks, such as std::binary_semaphore. The model
 * keeps them as memory (model/atomic_lock.h), but they make atomic regions.
 *
 * Such a word may be a lock (own_lock.h), each owner took its only permit (from 1 to 0) by
 * compare-exchange, and the program wakes threads at it. As with lock_role.h, two threads never
 * hold it together, in any order of the recorded operations.
 */
#ifndef FR_GENERATE_SEM_WORD_H
#define FR_GENERATE_SEM_WORD_H

#include "generate/own_lock.h"

struct fr_sem_words {
	struct fr_own_locks own;
	bool *is;   /* by lock of `own` */
	bool *cond; /* by condition: the program waits and wakes threads at such a word */
};

void fr_sem_words_find(struct fr_sem_words *ret, const struct fr_model *m);
void fr_sem_words_free(struct fr_sem_words *words);
/* The index in `own` of the word that an event accesses; UINT32_MAX: none. */
uint32_t fr_sem_word_of(const struct fr_sem_words *words, const struct fr_mev *v);

#endif
