/*
 * Locks that the program makes of atomic accesses become locks of the model. Lock sets, regions,
 * reports and the oracle then treat them like any other lock, and nothing is reported on the lock
 * word itself.
 *
 * One word:  an exchange, test-and-set or compare-exchange turns the free value into another one;
 *            the same thread later stores the free value. Queue locks (MCS) of which no thread had
 *            to wait are such words, too.
 * Ticket:    fetch_add on one word draws a ticket; a waiting loop reads another word until that
 *            holds the ticket; the same thread then stores the next number there.
 *
 * Queue:     an update of one word is an arrival; the thread gets the lock where it reads what the
 *            last owner stored, at the arrival or in a waiting loop right behind it (queue_lock.c):
 *            MCS, CLH, arrays, tickets in halves of a word, words that are also read elsewhere.
 *
 * The recorded run must agree: every access to the words from the first use on is part of the
 * protocol, and at least two threads took the lock. The pass says which reads decide the exit of a
 * waiting loop (FR_SITE_WAITS). Where it does not know, the thread only tried to take the lock,
 * with the outcome that was recorded. If another update than compare-exchange sets the word free,
 * it may be a counter. Then the pass must know a loop that waits for it.
 *
 * In the model, the access that takes the lock becomes ACQUIRE, the store that frees it RELEASE,
 * and an access that finds it taken ACQUIRE_FAILED. If a thread reads the free lock word before it
 * takes the lock, that read becomes the ACQUIRE, because the thread would wait there. Other
 * accesses of the protocol are left out, such as the ticket. The events keep their hooks, sites and
 * event kinds. If a thread had to wait in a queue, the accesses of the queue stay, because other
 * orders would take other paths. They are no targets (FR_F_BENIGN), and ACQUIRE and RELEASE are
 * parts of the steps that take and free the lock.
 *
 * Not recognised: locks of loads and stores alone (Peterson, Dekker, bakery); locks of which the
 *                 waiting loop calls a function, as classes do at -O0, unless one word is the lock.
 */
#ifndef FR_MODEL_ATOMIC_LOCK_H
#define FR_MODEL_ATOMIC_LOCK_H

#include "model/model.h"

/* Returns the model with these locks: a new one, which replaces m, or m itself if it has none.
   `waits`: does the value read at this site decide the exit of a waiting loop? Adds the loops that
   waited for a lock (spin_reads.h) to `spins`, unless it is NULL. */
struct fr_spin_loops;
struct fr_model *fr_atomic_locks(struct fr_model *m, bool (*waits)(void *arg, uint32_t site),
				 void *arg, struct fr_spin_loops *spins);

#endif
