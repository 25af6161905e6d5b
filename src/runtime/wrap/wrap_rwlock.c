/*
 * Read-write locks and spin locks.
 *
 * A lock with the attribute PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP makes a reader wait while
 * a writer waits. Under a schedule a writer does not wait in libc, so this file makes the reader
 * wait.
 */
#include "runtime/control/ctl.h"
#include "runtime/core/program_state.h"
#include "wrap.h"

static bool writers_first(const pthread_rwlock_t *l)
{
	return l->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

/* The type of the lock in its events. */
static unsigned type_of(unsigned kind, const void *obj)
{
	if (kind < FR_EV_RW_INIT || kind > FR_EV_RW_UNLOCK)
		return 0;
	return writers_first(obj) ? FR_WRITERS_FIRST : 0;
}

/* A release: emitted before it happens; if it fails, emitted again with its outcome. */
#define RELEASE(t, kind, obj, call)                                                      \
	({                                                                               \
		unsigned type_ = type_of(kind, obj);                                     \
		int r_;                                                                  \
		frt_ctl_hold(t);                                                         \
		frt_sync(t, kind, FR_SYNC(FR_OK, FR_PLAIN, type_), obj);                 \
		r_ = call;                                                               \
		if (frt_unlikely(r_))                                                    \
			frt_after(kind, FR_SYNC(frt_outcome(r_), FR_PLAIN, type_), obj); \
		frt_ctl_settle(obj);                                                     \
		r_;                                                                      \
	})

/* An acquisition that may block. */
#define ACQUIRE(kind, variant, obj, call, controlled)                                        \
	({                                                                                   \
		struct frt_thread *t_ = frt_self;                                            \
		int r_;                                                                      \
		if (t_)                                                                      \
			frt_pending(t_, kind, obj);                                          \
		r_ = t_ && frt_controlled() ? controlled : call;                             \
		frt_after(kind, FR_SYNC(frt_outcome(r_), variant, type_of(kind, obj)), obj); \
		r_;                                                                          \
	})

/* A call that does not block. */
#define AFTER(kind, variant, obj, call)                                                      \
	({                                                                                   \
		int r_ = call;                                                               \
		frt_after(kind, FR_SYNC(frt_outcome(r_), variant, type_of(kind, obj)), obj); \
		r_;                                                                          \
	})

#define TRY(kind, obj, call) AFTER(kind, FR_TRY, obj, frt_ctl_refuses(frt_self) ? EBUSY : call)

/* ---- under a schedule ---- */

static int spin(struct frt_thread *t, pthread_spinlock_t *l)
{
	while (REAL(pthread_spin_trylock)(l) == EBUSY)
		frt_ctl_block(t, FR_EV_SPIN_LOCK, (const void *)l, NULL);
	return 0;
}

#define READERS 3 /* glibc: the number of readers is above the lowest bits of __readers */

/* Must a reader wait because a writer waits? */
static bool behind_writer(const pthread_rwlock_t *l)
{
	return frt_controlled() && writers_first(l) && l->__data.__readers >> READERS &&
	       frt_ctl_waits(FR_EV_RW_WRLOCK, l);
}

static int try_rw(pthread_rwlock_t *l, bool write)
{
	if (write)
		return REAL(pthread_rwlock_trywrlock)(l);
	return behind_writer(l) ? EBUSY : REAL(pthread_rwlock_tryrdlock)(l);
}

static int rw(struct frt_thread *t, pthread_rwlock_t *l, bool write, clockid_t clock,
	      const struct timespec *ts)
{
	uint64_t until = ts ? frt_ctl_until(clock, ts) : 0;
	int r;

	if ((uint32_t)l->__data.__cur_writer == t->os_tid)
		return EDEADLK;
	if (ts && frt_ctl_outcome(t) == FR_TIMEDOUT) {
		frt_ctl_expires(until);
		return ETIMEDOUT;
	}
	while ((r = try_rw(l, write)) == EBUSY) {
		r = frt_ctl_block(t, write ? FR_EV_RW_WRLOCK : FR_EV_RW_RDLOCK, l,
				  ts ? &until : NULL);
		if (r)
			break;
	}
	frt_assert(r != EBUSY);
	if (write && r) /* it gives up: readers need not wait for it */
		frt_ctl_release(l);
	return r;
}

int frt_wrap_pthread_spin_init(pthread_spinlock_t *l, int shared)
{
	return AFTER(FR_EV_SPIN_INIT, FR_PLAIN, (void *)l, REAL(pthread_spin_init)(l, shared));
}

int frt_wrap_pthread_spin_destroy(pthread_spinlock_t *l)
{
	return AFTER(FR_EV_SPIN_DESTROY, FR_PLAIN, (void *)l, REAL(pthread_spin_destroy)(l));
}

int frt_wrap_pthread_spin_lock(pthread_spinlock_t *l)
{
	return ACQUIRE(FR_EV_SPIN_LOCK, FR_PLAIN, (void *)l, REAL(pthread_spin_lock)(l),
		       spin(t_, l));
}

FRT_STATE_FIRST(int, frt_wrap_pthread_spin_trylock, frt_try_pthread_spin_trylock,
		pthread_spinlock_t *l)
int frt_try_pthread_spin_trylock(pthread_spinlock_t *l)
{
	return TRY(FR_EV_SPIN_LOCK, (void *)l, REAL(pthread_spin_trylock)(l));
}

int frt_wrap_pthread_spin_unlock(pthread_spinlock_t *l)
{
	struct frt_thread *t = frt_self;

	if (!t)
		return REAL(pthread_spin_unlock)(l);
	return RELEASE(t, FR_EV_SPIN_UNLOCK, (void *)l, REAL(pthread_spin_unlock)(l));
}

int frt_wrap_pthread_rwlock_init(pthread_rwlock_t *restrict l,
				 const pthread_rwlockattr_t *restrict attr)
{
	return AFTER(FR_EV_RW_INIT, FR_PLAIN, l, REAL(pthread_rwlock_init)(l, attr));
}

int frt_wrap_pthread_rwlock_destroy(pthread_rwlock_t *l)
{
	return AFTER(FR_EV_RW_DESTROY, FR_PLAIN, l, REAL(pthread_rwlock_destroy)(l));
}

/* The four ways to acquire a lock, for `how` rd (FR_EV_RW_RDLOCK) and wr. */
#define RW_LOCK(how, kind, write)                                                                  \
	int frt_wrap_pthread_rwlock_##how##lock(pthread_rwlock_t *l)                               \
	{                                                                                          \
		return ACQUIRE(kind, FR_PLAIN, l, REAL(pthread_rwlock_##how##lock)(l),             \
			       rw(t_, l, write, CLOCK_REALTIME, NULL));                            \
	}                                                                                          \
	FRT_STATE_FIRST(int, frt_wrap_pthread_rwlock_try##how##lock, frt_try_rw##how,              \
			pthread_rwlock_t *l)                                                       \
	int frt_try_rw##how(pthread_rwlock_t *l)                                                   \
	{                                                                                          \
		return TRY(kind, l, try_rw(l, write));                                             \
	}                                                                                          \
	int frt_wrap_pthread_rwlock_timed##how##lock(pthread_rwlock_t *restrict l,                 \
						     const struct timespec *restrict until)        \
	{                                                                                          \
		return ACQUIRE(kind, FR_TIMED, l, REAL(pthread_rwlock_timed##how##lock)(l, until), \
			       rw(t_, l, write, CLOCK_REALTIME, until));                           \
	}                                                                                          \
	int frt_wrap_pthread_rwlock_clock##how##lock(                                              \
	    pthread_rwlock_t *restrict l, clockid_t clock, const struct timespec *restrict until)  \
	{                                                                                          \
		return ACQUIRE(kind, FR_TIMED, l,                                                  \
			       REAL(pthread_rwlock_clock##how##lock)(l, clock, until),             \
			       rw(t_, l, write, clock, until));                                    \
	}

RW_LOCK(rd, FR_EV_RW_RDLOCK, false)
RW_LOCK(wr, FR_EV_RW_WRLOCK, true)

int frt_wrap_pthread_rwlock_unlock(pthread_rwlock_t *l)
{
	struct frt_thread *t = frt_self;

	if (!t)
		return REAL(pthread_rwlock_unlock)(l);
	return RELEASE(t, FR_EV_RW_UNLOCK, l, REAL(pthread_rwlock_unlock)(l));
}
