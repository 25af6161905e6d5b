/*
 * Condition variables of pthreads and of C11. A wait is three events: it releases the mutex
 * (emitted before); it was woken, timed out or was cancelled; it holds the mutex again (both
 * emitted after). A wait that cannot start (not the owner, an invalid time) is one COND_WAIT event
 * with its outcome.
 */
#include "runtime/control/ctl.h"
#include "wrap.h"

enum cond_call { WAIT, TIMEDWAIT, CLOCKWAIT, C11_WAIT, C11_TIMEDWAIT };

struct cond_wait {
	struct frt_guard guard;
	enum cond_call which;
	void *cond, *mutex;
	clockid_t clock;
	const struct timespec *until;
};
_Static_assert(offsetof(struct cond_wait, guard) == 0, "a guard is the start of its call");
_Static_assert(CLOCKWAIT < C11_WAIT && C11_WAIT < C11_TIMEDWAIT, "C11 calls come last");

static long call(struct frt_guard *g)
{
	struct cond_wait *w = (struct cond_wait *)g;

	switch (w->which) {
	case WAIT:
		return REAL(pthread_cond_wait)(w->cond, w->mutex);
	case TIMEDWAIT:
		return REAL(pthread_cond_timedwait)(w->cond, w->mutex, w->until);
	case CLOCKWAIT:
		return REAL(pthread_cond_clockwait)(w->cond, w->mutex, w->clock, w->until);
	case C11_WAIT:
		return REAL(cnd_wait)(w->cond, w->mutex);
	default:
		return REAL(cnd_timedwait)(w->cond, w->mutex, w->until);
	}
}

static unsigned variant(const struct cond_wait *w)
{
	return w->which == WAIT || w->which == C11_WAIT ? FR_PLAIN : FR_TIMED;
}

static void woken(const struct cond_wait *w, unsigned outcome, unsigned locked)
{
	struct frt_thread *t = frt_self;

	if (!t)
		return;
	frt_pending_done(t);
	frt_sync_ext(t, FR_EV_COND_WAIT, FR_SYNC(outcome, variant(w), 0), w->cond,
		     (uintptr_t)w->mutex, 0);
	frt_sync(t, FR_EV_MUTEX_LOCK, FR_SYNC(locked, FR_WAIT, frt_mutex_type(w->mutex)), w->mutex);
}

/* Cancelled: libc has locked the mutex again before it continues to unwind. Under a schedule this
   code locks it, in two steps as after a wake-up. */
static void unwound(struct frt_guard *g)
{
	const struct cond_wait *w = (struct cond_wait *)g;
	struct frt_thread *t = frt_self;

	if (!frt_controlled() || !t) {
		woken(w, FR_CANCELLED, FR_OK);
		return;
	}
	frt_sync_ext(t, FR_EV_COND_WAIT, FR_SYNC(FR_CANCELLED, variant(w), 0), w->cond,
		     (uintptr_t)w->mutex, 0);
	frt_ctl_mutex_lock(t, w->mutex, NULL);
	frt_pending_done(t);
	frt_sync(t, FR_EV_MUTEX_LOCK, FR_SYNC(FR_OK, FR_WAIT, frt_mutex_type(w->mutex)), w->mutex);
}

/* ---- under a schedule ---- */

/* glibc keeps the clock of a condition variable here. */
static clockid_t clock_of(const struct cond_wait *w)
{
	if (w->which == CLOCKWAIT)
		return w->clock;
	if (w->which == TIMEDWAIT && ((const pthread_cond_t *)w->cond)->__data.__wrefs & 2)
		return CLOCK_MONOTONIC;
	return CLOCK_REALTIME;
}

static long controlled_call(struct frt_guard *g)
{
	struct cond_wait *w = (struct cond_wait *)g;
	struct frt_thread *t = frt_self;
	uint64_t until = w->until ? frt_ctl_until(clock_of(w), w->until) : 0;
	int r;

	while ((r = frt_ctl_cond_wait(t, w->until ? &until : NULL)) == ECANCELED) {
		pthread_testcancel();
		/* Cancellation is disabled: continue to wait. */
		frt_ctl_cond_begin(t, w->cond);
	}
	return r;
}

static int cond_wait_controlled(struct frt_thread *t, struct cond_wait *w)
{
	unsigned locked;
	int r;

	frt_ctl_hold(t);
	frt_ctl_cond_begin(t, w->cond);
	frt_sync(t, FR_EV_MUTEX_UNLOCK, FR_SYNC(FR_OK, FR_WAIT, frt_mutex_type(w->mutex)),
		 w->mutex);
	REAL(pthread_mutex_unlock)(w->mutex);
	frt_pending(t, FR_EV_COND_WAIT, w->cond);
	frt_ctl_settle(w->mutex);
	r = (int)frt_guarded(t, &w->guard, controlled_call);
	frt_sync_ext(t, FR_EV_COND_WAIT, FR_SYNC(frt_outcome(r), variant(w), 0), w->cond,
		     (uintptr_t)w->mutex, 0);
	frt_pending(t, FR_EV_MUTEX_LOCK, w->mutex);
	locked = frt_outcome(frt_ctl_mutex_lock(t, w->mutex, NULL));
	frt_pending_done(t);
	frt_sync(t, FR_EV_MUTEX_LOCK, FR_SYNC(locked, FR_WAIT, frt_mutex_type(w->mutex)), w->mutex);
	if (w->which >= C11_WAIT)
		return r ? thrd_timedout : thrd_success;
	return locked == FR_OWNERDEAD ? EOWNERDEAD : r;
}

/* glibc keeps the process-shared flag next to the clock. */
static bool is_shared(const struct cond_wait *w)
{
	return w->which <= CLOCKWAIT && ((const pthread_cond_t *)w->cond)->__data.__wrefs & 1;
}

/* The timeout is on the virtual clock; libc's is on the real one. */
static long shared_call(struct frt_guard *g)
{
	struct cond_wait *w = (struct cond_wait *)g, real = *w;
	struct timespec ts;
	uint64_t until, left;
	long r;

	if (!w->until)
		return call(g);
	until = frt_ctl_until(clock_of(w), w->until);
	left = frt_ctl_left(until);
	clock_gettime(clock_of(w), &ts);
	left += (uint64_t)ts.tv_nsec;
	ts.tv_sec += (time_t)(left / 1000000000);
	ts.tv_nsec = (long)(left % 1000000000);
	real.until = &ts;
	r = call(&real.guard);
	if (r == ETIMEDOUT)
		frt_ctl_pass_until(until);
	return r;
}

static bool can_start(const struct frt_thread *t, const struct cond_wait *w)
{
	if (w->until && (w->until->tv_nsec < 0 || w->until->tv_nsec >= 1000000000))
		return false;
	if (w->which == CLOCKWAIT && w->clock != CLOCK_REALTIME && w->clock != CLOCK_MONOTONIC)
		return false;
	return frt_mutex_mine(t, w->mutex);
}

static int cond_wait(struct cond_wait *w)
{
	struct frt_thread *t = frt_self;
	bool c11 = w->which >= C11_WAIT;
	unsigned outcome;
	int r;

	if (!t)
		return (int)call(&w->guard);
	if (!can_start(t, w)) {
		r = (int)call(&w->guard);
		if ((t = frt_self))
			frt_sync_ext(
			    t, FR_EV_COND_WAIT,
			    FR_SYNC(c11 ? frt_outcome_c11(r) : frt_outcome(r), variant(w), 0),
			    w->cond, (uintptr_t)w->mutex, 0);
		return r;
	}
	w->guard.unwound = unwound;
	if (frt_controlled() && !is_shared(w))
		return cond_wait_controlled(t, w);
	/* another process may signal it: libc waits, after it has unlocked the mutex */
	frt_ctl_hold(t);
	frt_sync(t, FR_EV_MUTEX_UNLOCK, FR_SYNC(FR_OK, FR_WAIT, frt_mutex_type(w->mutex)),
		 w->mutex);
	frt_pending(t, FR_EV_COND_WAIT, w->cond);
	r = (int)frt_guarded(t, &w->guard, frt_controlled() ? shared_call : call);
	frt_ctl_settle(NULL);
	outcome = c11 ? frt_outcome_c11(r) : frt_outcome(r);
	if (!c11 && r == EOWNERDEAD)
		woken(w, FR_OK, FR_OWNERDEAD);
	else if (!c11 && r == ENOTRECOVERABLE)
		woken(w, FR_OK, FR_ERROR);
	else
		woken(w, outcome, FR_OK);
	return r;
}

int frt_wrap_pthread_cond_wait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m)
{
	struct cond_wait w = {.which = WAIT, .cond = c, .mutex = m};

	return cond_wait(&w);
}

int frt_wrap_pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
				    const struct timespec *restrict until)
{
	struct cond_wait w = {.which = TIMEDWAIT, .cond = c, .mutex = m, .until = until};

	return cond_wait(&w);
}

int frt_wrap_pthread_cond_clockwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
				    clockid_t clock, const struct timespec *restrict until)
{
	struct cond_wait w = {
	    .which = CLOCKWAIT, .cond = c, .mutex = m, .clock = clock, .until = until};

	return cond_wait(&w);
}

int frt_wrap_cnd_wait(cnd_t *c, mtx_t *m)
{
	struct cond_wait w = {.which = C11_WAIT, .cond = c, .mutex = m};

	return cond_wait(&w);
}

int frt_wrap_cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m,
			   const struct timespec *restrict until)
{
	struct cond_wait w = {.which = C11_TIMEDWAIT, .cond = c, .mutex = m, .until = until};

	return cond_wait(&w);
}

int frt_wrap_pthread_cond_init(pthread_cond_t *restrict c, const pthread_condattr_t *restrict attr)
{
	int r = REAL(pthread_cond_init)(c, attr);

	frt_after(FR_EV_COND_INIT, FR_SYNC(frt_outcome(r), FR_PLAIN, 0), c);
	return r;
}

int frt_wrap_pthread_cond_destroy(pthread_cond_t *c)
{
	int r = REAL(pthread_cond_destroy)(c);

	frt_after(FR_EV_COND_DESTROY, FR_SYNC(frt_outcome(r), FR_PLAIN, 0), c);
	return r;
}

/* Emitted before the signal acts. Under control, libc's condition variable has no waiters. */
static void signalling(const void *c, bool all)
{
	struct frt_thread *t = frt_self;

	if (!t && frt_controlled())
		frt_ctl_cond_signal_foreign(c, all);
	if (!t)
		return;
	frt_ctl_hold(t);
	frt_sync(t, all ? FR_EV_COND_BROADCAST : FR_EV_COND_SIGNAL, 0, c);
	if (frt_controlled())
		frt_ctl_cond_signal(c, all);
	frt_ctl_settle(NULL);
}

int frt_wrap_pthread_cond_signal(pthread_cond_t *c)
{
	signalling(c, false);
	return REAL(pthread_cond_signal)(c);
}

int frt_wrap_pthread_cond_broadcast(pthread_cond_t *c)
{
	signalling(c, true);
	return REAL(pthread_cond_broadcast)(c);
}

int frt_wrap_cnd_init(cnd_t *c)
{
	int r = REAL(cnd_init)(c);

	frt_after(FR_EV_COND_INIT, FR_SYNC(frt_outcome_c11(r), FR_PLAIN, 0), c);
	return r;
}

void frt_wrap_cnd_destroy(cnd_t *c)
{
	REAL(cnd_destroy)(c);
	frt_after(FR_EV_COND_DESTROY, 0, c);
}

int frt_wrap_cnd_signal(cnd_t *c)
{
	signalling(c, false);
	return REAL(cnd_signal)(c);
}

int frt_wrap_cnd_broadcast(cnd_t *c)
{
	signalling(c, true);
	return REAL(cnd_broadcast)(c);
}
