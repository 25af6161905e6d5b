/*
 * Mutexes of pthreads and of C11, which in glibc are the same objects behind other functions. All
 * types: normal, recursive, error-checking, adaptive, robust; the type is read from the mutex. A
 * lock is stamped after it was taken, an unlock before the release.
 */
#include "runtime/control/ctl.h"
#include "runtime/core/program_state.h"
#include "wrap.h"

bool frt_mutex_mine(const struct frt_thread *t, const void *obj)
{
	const pthread_mutex_t *m = obj;
	unsigned kind = (unsigned)m->__data.__kind;
	unsigned type = kind & 3;
	unsigned holder;

	frt_assert(t->os_tid); /* 0: nobody holds it */
	if ((type == PTHREAD_MUTEX_NORMAL || type == PTHREAD_MUTEX_ADAPTIVE_NP) &&
	    !(kind & (FRT_MUTEX_ROBUST | FRT_MUTEX_PI)))
		return true;
	if ((uint32_t)m->__data.__owner == t->os_tid)
		return true;
	/* After the death of an owner only the lock word names the holder. */
	holder = (unsigned)m->__data.__lock & 0x3fffffff;
	return (kind & (FRT_MUTEX_ROBUST | FRT_MUTEX_PI)) && holder == t->os_tid;
}

int frt_ctl_mutex_lock(struct frt_thread *t, void *obj, const uint64_t *until)
{
	pthread_mutex_t *m = obj;
	int r;

	if (frt_mutex_type(m) == PTHREAD_MUTEX_ERRORCHECK && frt_mutex_mine(t, m))
		return EDEADLK;
	if (until && frt_ctl_outcome(t) == FR_TIMEDOUT) {
		frt_ctl_expires(*until);
		return ETIMEDOUT;
	}
	while ((r = REAL(pthread_mutex_trylock)(m)) == EBUSY) {
		r = frt_ctl_block(t, FR_EV_MUTEX_LOCK, m, until);
		if (r)
			break;
	}
	frt_assert(r != EBUSY);
	return r;
}

static int timed_lock(struct frt_thread *t, void *m, clockid_t clock, const struct timespec *ts)
{
	uint64_t until = frt_ctl_until(clock, ts);

	return frt_ctl_mutex_lock(t, m, &until);
}

static int as_c11(int r)
{
	return !r ? thrd_success : r == ETIMEDOUT ? thrd_timedout : thrd_error;
}

static void locked(const void *m, unsigned outcome, unsigned variant)
{
	frt_after(FR_EV_MUTEX_LOCK, FR_SYNC(outcome, variant, frt_mutex_type(m)), m);
}

/* Emits the release if it will succeed; returns true if so. */
static bool unlocking(struct frt_thread *t, const void *m)
{
	if (!frt_mutex_mine(t, m))
		return false;
	frt_sync(t, FR_EV_MUTEX_UNLOCK, FR_SYNC(FR_OK, FR_PLAIN, frt_mutex_type(m)), m);
	return true;
}

/* A release that failed, or was not foreseen, is emitted with its
   outcome. The mutex may be gone. */
static void unlocked(const void *m, bool emitted, unsigned outcome)
{
	if (!emitted || outcome != FR_OK)
		frt_after(FR_EV_MUTEX_UNLOCK, FR_SYNC(outcome, FR_PLAIN, 0), m);
}

int frt_wrap_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
	int r = REAL(pthread_mutex_init)(m, attr);

	if (frt_self)
		frt_after(FR_EV_MUTEX_INIT,
			  FR_SYNC(frt_outcome(r), FR_PLAIN, r ? 0 : frt_mutex_type(m)), m);
	return r;
}

int frt_wrap_pthread_mutex_destroy(pthread_mutex_t *m)
{
	unsigned type = frt_self ? frt_mutex_type(m) : 0;
	int r = REAL(pthread_mutex_destroy)(m);

	frt_after(FR_EV_MUTEX_DESTROY, FR_SYNC(frt_outcome(r), FR_PLAIN, type), m);
	return r;
}

int frt_wrap_pthread_mutex_lock(pthread_mutex_t *m)
{
	struct frt_thread *t = frt_self;
	int r;

	if (!t)
		return REAL(pthread_mutex_lock)(m);
	frt_pending(t, FR_EV_MUTEX_LOCK, m);
	r = frt_controlled() ? frt_ctl_mutex_lock(t, m, NULL) : REAL(pthread_mutex_lock)(m);
	locked(m, frt_outcome(r), FR_PLAIN);
	return r;
}

FRT_STATE_FIRST(int, frt_wrap_pthread_mutex_trylock, frt_try_pthread_mutex_trylock,
		pthread_mutex_t *m)
int frt_try_pthread_mutex_trylock(pthread_mutex_t *m)
{
	int r = frt_ctl_refuses(frt_self) ? EBUSY : REAL(pthread_mutex_trylock)(m);

	if (frt_self)
		locked(m, frt_outcome(r), FR_TRY);
	return r;
}

int frt_wrap_pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
	struct frt_thread *t = frt_self;
	int r;

	if (!t)
		return REAL(pthread_mutex_timedlock)(m, until);
	frt_pending(t, FR_EV_MUTEX_LOCK, m);
	r = frt_controlled() ? timed_lock(t, m, CLOCK_REALTIME, until)
			     : REAL(pthread_mutex_timedlock)(m, until);
	locked(m, frt_outcome(r), FR_TIMED);
	return r;
}

int frt_wrap_pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock,
				     const struct timespec *until)
{
	struct frt_thread *t = frt_self;
	int r;

	if (!t)
		return REAL(pthread_mutex_clocklock)(m, clock, until);
	frt_pending(t, FR_EV_MUTEX_LOCK, m);
	r = frt_controlled() ? timed_lock(t, m, clock, until)
			     : REAL(pthread_mutex_clocklock)(m, clock, until);
	locked(m, frt_outcome(r), FR_TIMED);
	return r;
}

int frt_wrap_pthread_mutex_unlock(pthread_mutex_t *m)
{
	struct frt_thread *t = frt_self;
	bool emitted;
	int r;

	if (!t)
		return REAL(pthread_mutex_unlock)(m);
	frt_ctl_hold(t);
	emitted = unlocking(t, m);
	r = REAL(pthread_mutex_unlock)(m);
	unlocked(m, emitted, frt_outcome(r));
	frt_ctl_settle(m);
	return r;
}

int frt_wrap_pthread_mutex_consistent(pthread_mutex_t *m)
{
	int r = REAL(pthread_mutex_consistent)(m);

	if (frt_self)
		frt_after(FR_EV_MUTEX_CONSISTENT,
			  FR_SYNC(frt_outcome(r), FR_PLAIN, frt_mutex_type(m)), m);
	return r;
}

/* ---- C11 ---- */

int frt_wrap_mtx_init(mtx_t *m, int type)
{
	int r = REAL(mtx_init)(m, type);

	if (frt_self)
		frt_after(FR_EV_MUTEX_INIT,
			  FR_SYNC(frt_outcome_c11(r), FR_PLAIN,
				  r == thrd_success ? frt_mutex_type(m) : 0),
			  m);
	return r;
}

void frt_wrap_mtx_destroy(mtx_t *m)
{
	unsigned type = frt_self ? frt_mutex_type(m) : 0;

	REAL(mtx_destroy)(m);
	frt_after(FR_EV_MUTEX_DESTROY, FR_SYNC(FR_OK, FR_PLAIN, type), m);
}

int frt_wrap_mtx_lock(mtx_t *m)
{
	struct frt_thread *t = frt_self;
	int r;

	if (!t)
		return REAL(mtx_lock)(m);
	frt_pending(t, FR_EV_MUTEX_LOCK, m);
	r = frt_controlled() ? as_c11(frt_ctl_mutex_lock(t, m, NULL)) : REAL(mtx_lock)(m);
	locked(m, frt_outcome_c11(r), FR_PLAIN);
	return r;
}

FRT_STATE_FIRST(int, frt_wrap_mtx_trylock, frt_try_mtx_trylock, mtx_t *m)
int frt_try_mtx_trylock(mtx_t *m)
{
	int r = frt_ctl_refuses(frt_self) ? thrd_busy : REAL(mtx_trylock)(m);

	if (frt_self)
		locked(m, frt_outcome_c11(r), FR_TRY);
	return r;
}

int frt_wrap_mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict until)
{
	struct frt_thread *t = frt_self;
	int r;

	if (!t)
		return REAL(mtx_timedlock)(m, until);
	frt_pending(t, FR_EV_MUTEX_LOCK, m);
	r = frt_controlled() ? as_c11(timed_lock(t, m, CLOCK_REALTIME, until))
			     : REAL(mtx_timedlock)(m, until);
	locked(m, frt_outcome_c11(r), FR_TIMED);
	return r;
}

int frt_wrap_mtx_unlock(mtx_t *m)
{
	struct frt_thread *t = frt_self;
	bool emitted;
	int r;

	if (!t)
		return REAL(mtx_unlock)(m);
	frt_ctl_hold(t);
	emitted = unlocking(t, m);
	r = REAL(mtx_unlock)(m);
	unlocked(m, emitted, frt_outcome_c11(r));
	frt_ctl_settle(m);
	return r;
}
