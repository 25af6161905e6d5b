/*
 * Semaphores, unnamed and named. A wait is stamped after it decremented, a post before it
 * increments. A named semaphore begins its life when this process first opens it, with the value
 * that it then has.
 * Not handled: other processes that use the same semaphore (counted as not modelled).
 */
#include "runtime/core/keep_file.h"
#include "runtime/control/ctl.h"
#include "runtime/core/program_state.h"
#include "wrap.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>

enum sem_call { WAIT, TIMEDWAIT, CLOCKWAIT };

struct sem_waiting {
	struct frt_guard guard;
	enum sem_call which;
	sem_t *sem;
	clockid_t clock;
	const struct timespec *until;
};
_Static_assert(offsetof(struct sem_waiting, guard) == 0, "a guard is the start of its call");

static long call(struct frt_guard *g)
{
	struct sem_waiting *w = (struct sem_waiting *)g;

	switch (w->which) {
	case WAIT:
		return REAL(sem_wait)(w->sem);
	case TIMEDWAIT:
		return REAL(sem_timedwait)(w->sem, w->until);
	default:
		return REAL(sem_clockwait)(w->sem, w->clock, w->until);
	}
}

static long controlled_call(struct frt_guard *g)
{
	struct sem_waiting *w = (struct sem_waiting *)g;
	struct frt_thread *t = frt_self;
	uint64_t until = 0;
	int r = 0;

	if (w->which != WAIT) {
		until = frt_ctl_until(w->which == CLOCKWAIT ? w->clock : CLOCK_REALTIME, w->until);
		if (frt_ctl_outcome(t) == FR_TIMEDOUT) {
			frt_ctl_expires(until);
			r = ETIMEDOUT;
		}
	}
	if (frt_ctl_outcome(t) == FR_INTR)
		r = EINTR;
	while (!r && REAL(sem_trywait)(w->sem)) {
		if (frt_ctl_cancelled(t))
			pthread_testcancel();
		r = frt_ctl_block(t, FR_EV_SEM_WAIT, w->sem, w->which == WAIT ? NULL : &until);
		if (!r && frt_ctl_interrupted(t, false))
			r = EINTR;
	}
	if (r)
		errno = r;
	return r ? -1 : 0;
}

static void waited(const struct sem_waiting *w, unsigned outcome)
{
	frt_after(FR_EV_SEM_WAIT, FR_SYNC(outcome, w->which == WAIT ? FR_PLAIN : FR_TIMED, 0),
		  w->sem);
}

static void unwound(struct frt_guard *g)
{
	waited((struct sem_waiting *)g, FR_CANCELLED);
}

static int sem_wait_with(struct sem_waiting *w)
{
	struct frt_thread *t = frt_self;
	int r;

	if (!t)
		return (int)call(&w->guard);
	w->guard.unwound = unwound;
	frt_pending(t, FR_EV_SEM_WAIT, w->sem);
	r = (int)frt_guarded(t, &w->guard, frt_controlled() ? controlled_call : call);
	waited(w, r ? frt_outcome(errno) : FR_OK);
	return r;
}

int frt_wrap_sem_wait(sem_t *s)
{
	struct sem_waiting w = {.which = WAIT, .sem = s};

	return sem_wait_with(&w);
}

int frt_wrap_sem_timedwait(sem_t *restrict s, const struct timespec *restrict until)
{
	struct sem_waiting w = {.which = TIMEDWAIT, .sem = s, .until = until};

	return sem_wait_with(&w);
}

int frt_wrap_sem_clockwait(sem_t *restrict s, clockid_t clock,
			   const struct timespec *restrict until)
{
	struct sem_waiting w = {.which = CLOCKWAIT, .sem = s, .clock = clock, .until = until};

	return sem_wait_with(&w);
}

FRT_STATE_FIRST(int, frt_wrap_sem_trywait, frt_try_sem_trywait, sem_t *s)
int frt_try_sem_trywait(sem_t *s)
{
	int r = frt_ctl_refuses(frt_self) ? (errno = EAGAIN, -1) : REAL(sem_trywait)(s);

	frt_after(FR_EV_SEM_WAIT, FR_SYNC(r ? frt_outcome(errno) : FR_OK, FR_TRY, 0), s);
	return r;
}

int frt_wrap_sem_post(sem_t *s)
{
	struct frt_thread *t = frt_self;
	int r;

	if (t) {
		frt_ctl_hold(t);
		frt_sync(t, FR_EV_SEM_POST, 0, s);
	}
	r = REAL(sem_post)(s);
	if (frt_unlikely(r)) /* full, or not a semaphore: the post did not happen */
		frt_after(FR_EV_SEM_POST, FR_SYNC(FR_ERROR, FR_PLAIN, 0), s);
	if (t)
		frt_ctl_settle(s);
	return r;
}

static void began(const sem_t *s, unsigned outcome, unsigned value)
{
	struct frt_thread *t = frt_self;

	if (t)
		frt_sync_ext(t, FR_EV_SEM_INIT, FR_SYNC(outcome, FR_PLAIN, 0), s, value, 0);
}

int frt_wrap_sem_init(sem_t *s, int shared, unsigned value)
{
	int r = REAL(sem_init)(s, shared, value);

	began(s, r ? frt_outcome(errno) : FR_OK, value);
	return r;
}

int frt_wrap_sem_destroy(sem_t *s)
{
	int r = REAL(sem_destroy)(s);

	frt_after(FR_EV_SEM_DESTROY, FR_SYNC(r ? frt_outcome(errno) : FR_OK, FR_PLAIN, 0), s);
	return r;
}

/* ---- named: libc returns the same address each time the same semaphore is opened ---- */

#define NAMED 256
static struct {
	_Atomic uintptr_t sem;
	_Atomic uint32_t opened;
} named[NAMED];

/* Adds `by` and returns how often it is open now. Beyond the table each
   opening counts as the first. */
static uint32_t opened(const sem_t *s, int by)
{
	for (unsigned i = 0; i < NAMED; i++) {
		uintptr_t seen = 0;

		if (atomic_compare_exchange_strong(&named[i].sem, &seen, (uintptr_t)s) ||
		    seen == (uintptr_t)s)
			return atomic_fetch_add(&named[i].opened, (uint32_t)by) + (uint32_t)by;
	}
	return by > 0;
}

sem_t *frt_wrap_sem_open(const char *name, int flags, ...)
{
	struct frt_thread *t = frt_self;
	mode_t mode = 0;
	unsigned initial = 0;
	int value = 0, saved;
	sem_t *s;

	if (flags & O_CREAT) {
		va_list args;

		va_start(args, flags);
		mode = va_arg(args, mode_t);
		initial = va_arg(args, unsigned);
		va_end(args);
	}
	if (!t)
		return REAL(sem_open)(name, flags, mode, initial);
	frt_keep_shm("sem.", name);
	t->in_wrapper++;
	s = REAL(sem_open)(name, flags, mode, initial);
	saved = errno;
	t = frt_self;
	if (!t)
		return s;
	frt_assert(t->in_wrapper);
	t->in_wrapper--;
	if (s != SEM_FAILED && opened(s, 1) == 1 && !sem_getvalue(s, &value))
		began(s, FR_OK, (unsigned)value);
	errno = saved;
	frt_named_opened(FR_NAME_SEM, name, flags, s == SEM_FAILED, (uint64_t)(unsigned)value);
	return s;
}

int frt_wrap_sem_close(sem_t *s)
{
	if (frt_self && opened(s, -1) == 0)
		frt_after(FR_EV_SEM_DESTROY, 0, s);
	return REAL(sem_close)(s);
}
