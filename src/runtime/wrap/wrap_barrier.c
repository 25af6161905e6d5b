/*
 * Barriers, with the generation of each passage.
 *
 * Meaning:     a small table, keyed by address, counts the threads that have arrived at each
 *              barrier. Arrivals divided by the barrier's count is the generation. The table goes
 *              on counting when a barrier is initialised again at the same address, so that
 *              generations name passages. A lookup reads a window of the table. An entry is taken
 *              by a compare-and-swap of its key, empty ones first, then those whose barrier was
 *              destroyed. If the window is full, the generation is 0.
 * Not handled: more threads at a barrier than its count: which of them pass together is then a
 *              guess.
 */
#include "runtime/control/ctl.h"
#include "wrap.h"
#include <stdatomic.h>

#define SLOTS 4096
#define WINDOW 32
_Static_assert(!(SLOTS & (SLOTS - 1)) && WINDOW <= SLOTS, "a window wraps around");

static struct wrap_barrier {
	_Atomic uintptr_t key;
	_Atomic uint32_t count; /* 0: destroyed */
	_Atomic uint32_t pad;
	_Atomic uint64_t arrived; /* in this life; `base` counts the generations before */
	_Atomic uint64_t base;
} table[SLOTS];

static struct wrap_barrier *at(uintptr_t key, unsigned i)
{
	uint32_t h = frt_hash_address(key);

	return &table[(h + i) % SLOTS];
}

static struct wrap_barrier *find(uintptr_t key)
{
	for (unsigned i = 0; i < WINDOW; i++)
		if (atomic_load(&at(key, i)->key) == key)
			return at(key, i);
	return NULL;
}

static struct wrap_barrier *find_or_make(uintptr_t key, uint32_t count)
{
	struct wrap_barrier *b = find(key);

	frt_assert(key && count); /* 0: a free entry, a destroyed barrier */
	for (unsigned pass = 0; !b && pass < 2; pass++)
		for (unsigned i = 0; i < WINDOW && !b; i++) {
			struct wrap_barrier *c = at(key, i);
			uintptr_t seen = pass ? atomic_load(&c->key) : 0;

			if ((!pass || !atomic_load(&c->count)) &&
			    atomic_compare_exchange_strong(&c->key, &seen, key))
				b = c;
			else if (seen == key)
				b = c;
		}
	if (b && !atomic_load(&b->count))
		atomic_store(&b->count, count);
	return b;
}

/* The count as glibc stores it: in, current_round, count. */
static uint32_t count_of(const pthread_barrier_t *b)
{
	return ((const uint32_t *)b)[2];
}

/* Other processes may arrive at the barrier too: then libc waits. */
static bool is_shared(const pthread_barrier_t *b)
{
	return ((const uint32_t *)b)[3];
}

int frt_wrap_pthread_barrier_init(pthread_barrier_t *restrict b,
				  const pthread_barrierattr_t *restrict attr, unsigned count)
{
	int r = REAL(pthread_barrier_init)(b, attr, count);
	struct frt_thread *t = frt_self;
	struct wrap_barrier *e;

	if (!t)
		return r;
	if (!r && (e = find_or_make((uintptr_t)b, count))) {
		uint32_t before = atomic_exchange(&e->count, count);
		uint64_t arrived = atomic_exchange(&e->arrived, 0);

		atomic_fetch_add(&e->base, before ? (arrived + before - 1) / before : 0);
	}
	if (!r && frt_controlled())
		frt_ctl_barrier_reset(b);
	frt_sync_ext(t, FR_EV_BARRIER_INIT, FR_SYNC(frt_outcome(r), FR_PLAIN, 0), b, count, 0);
	return r;
}

int frt_wrap_pthread_barrier_destroy(pthread_barrier_t *b)
{
	int r = REAL(pthread_barrier_destroy)(b);
	struct frt_thread *t = frt_self;
	struct wrap_barrier *e;

	if (!t)
		return r;
	if (!r && (e = find((uintptr_t)b))) {
		uint32_t before = atomic_load(&e->count);
		uint64_t arrived = atomic_exchange(&e->arrived, 0);

		atomic_fetch_add(&e->base, before ? (arrived + before - 1) / before : 0);
		atomic_store(&e->count, 0);
	}
	frt_sync(t, FR_EV_BARRIER_DESTROY, FR_SYNC(frt_outcome(r), FR_PLAIN, 0), b);
	return r;
}

int frt_wrap_pthread_barrier_wait(pthread_barrier_t *b)
{
	struct frt_thread *t = frt_self;
	uint64_t generation = 0, arrival = 0;
	struct wrap_barrier *e;
	uint32_t count;
	int r;

	if (!t)
		return REAL(pthread_barrier_wait)(b);
	count = count_of(b);
	e = count ? find_or_make((uintptr_t)b, count) : NULL;
	frt_ctl_hold(t);
	frt_sync(t, FR_EV_BARRIER_ENTER, 0, b);
	if (frt_controlled() && !is_shared(b))
		arrival = frt_ctl_barrier_enter(b, count);
	if (e)
		generation = atomic_load(&e->base) + atomic_fetch_add(&e->arrived, 1) / count;
	else
		frt_unmodelled("pthread_barrier_wait (too many)");
	frt_pending(t, FR_EV_BARRIER_ENTER, b);
	frt_ctl_settle(NULL);
	if (frt_controlled() && !is_shared(b))
		r = frt_ctl_barrier_leave(t, b, count, arrival) ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
	else
		r = REAL(pthread_barrier_wait)(b);
	t = frt_self;
	if (!t)
		return r;
	frt_pending_done(t);
	frt_sync_ext(
	    t, FR_EV_BARRIER_LEAVE,
	    FR_SYNC(r == PTHREAD_BARRIER_SERIAL_THREAD ? FR_SERIAL : frt_outcome(r), FR_PLAIN, 0),
	    b, generation, 0);
	return r;
}
