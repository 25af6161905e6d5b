/* Read-write locks and spin locks. */
#include "runtime/control/ctl.h"
#include "wrap.h"

/* A release: emitted before it happens; if it fails, emitted again with its outcome. */
#define RELEASE(t, kind, obj, call)                                                  \
	({                                                                           \
		int r_;                                                              \
		frt_ctl_hold(t);                                                     \
		frt_sync(t, kind, FR_SYNC(FR_OK, FR_PLAIN, 0), obj);                 \
		r_ = call;                                                           \
		if (frt_unlikely(r_))                                                \
			frt_after(kind, FR_SYNC(frt_outcome(r_), FR_PLAIN, 0), obj); \
		frt_ctl_settle(obj);                                                 \
		r_;                                                                  \
	})

/* An acquisition that may block. */
#define ACQUIRE(kind, variant, obj, call, controlled)                       \
	({                                                                  \
		struct frt_thread *t_ = frt_self;                           \
		int r_;                                                     \
		if (t_)                                                     \
			frt_pending(t_, kind, obj);                         \
		r_ = t_ && frt_controlled() ? controlled : call;            \
		frt_after(kind, FR_SYNC(frt_outcome(r_), variant, 0), obj); \
		r_;                                                         \
	})

/* A call that does not block. */
#define AFTER(kind, variant, obj, call)                                     \
	({                                                                  \
		int r_ = call;                                              \
		frt_after(kind, FR_SYNC(frt_outcome(r_), variant, 0), obj); \
		r_;                                                         \
	})

#define TRY(kind, obj, call) AFTER(kind, FR_TRY, obj, frt_ctl_refuses(frt_self) ? EBUSY : call)

/* ---- under a schedule ---- */

static int spin(struct frt_thread *t, pthread_spinlock_t *l)
{
	while (REAL(pthread_spin_trylock)(l) == EBUSY)
		frt_ctl_block(t, FR_EV_SPIN_LOCK, (const void *)l, NULL);
	return 0;
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
	while ((r = write ? REAL(pthread_rwlock_trywrlock)(l)
			  : REAL(pthread_rwlock_tryrdlock)(l)) == EBUSY) {
		r = frt_ctl_block(t, write ? FR_EV_RW_WRLOCK : FR_EV_RW_RDLOCK, l,
				  ts ? &until : NULL);
		if (r)
			break;
	}
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

int frt_wrap_pthread_spin_trylock(pthread_spinlock_t *l)
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

int frt_wrap_pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	return ACQUIRE(FR_EV_RW_RDLOCK, FR_PLAIN, l, REAL(pthread_rwlock_rdlock)(l),
		       rw(t_, l, false, CLOCK_REALTIME, NULL));
}

int frt_wrap_pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
	return TRY(FR_EV_RW_RDLOCK, l, REAL(pthread_rwlock_tryrdlock)(l));
}

int frt_wrap_pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict l,
					const struct timespec *restrict until)
{
	return ACQUIRE(FR_EV_RW_RDLOCK, FR_TIMED, l, REAL(pthread_rwlock_timedrdlock)(l, until),
		       rw(t_, l, false, CLOCK_REALTIME, until));
}

int frt_wrap_pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict l, clockid_t clock,
					const struct timespec *restrict until)
{
	return ACQUIRE(FR_EV_RW_RDLOCK, FR_TIMED, l,
		       REAL(pthread_rwlock_clockrdlock)(l, clock, until),
		       rw(t_, l, false, clock, until));
}

int frt_wrap_pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	return ACQUIRE(FR_EV_RW_WRLOCK, FR_PLAIN, l, REAL(pthread_rwlock_wrlock)(l),
		       rw(t_, l, true, CLOCK_REALTIME, NULL));
}

int frt_wrap_pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
	return TRY(FR_EV_RW_WRLOCK, l, REAL(pthread_rwlock_trywrlock)(l));
}

int frt_wrap_pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict l,
					const struct timespec *restrict until)
{
	return ACQUIRE(FR_EV_RW_WRLOCK, FR_TIMED, l, REAL(pthread_rwlock_timedwrlock)(l, until),
		       rw(t_, l, true, CLOCK_REALTIME, until));
}

int frt_wrap_pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict l, clockid_t clock,
					const struct timespec *restrict until)
{
	return ACQUIRE(FR_EV_RW_WRLOCK, FR_TIMED, l,
		       REAL(pthread_rwlock_clockwrlock)(l, clock, until),
		       rw(t_, l, true, clock, until));
}

int frt_wrap_pthread_rwlock_unlock(pthread_rwlock_t *l)
{
	struct frt_thread *t = frt_self;

	if (!t)
		return REAL(pthread_rwlock_unlock)(l);
	return RELEASE(t, FR_EV_RW_UNLOCK, l, REAL(pthread_rwlock_unlock)(l));
}
