/*
 * One-time initialisation: pthread_once, call_once, and the guards of C++ function-local statics.
 *
 * The winner emits ONCE_BEGIN before the routine and ONCE_END after it, before other threads may
 * pass. All others emit ONCE_DONE after they passed. A routine left by cancellation or by an
 * exception ends with outcome ERROR, and the next caller tries again.
 *
 * __cxa_guard_* are implemented here, with the layout that libstdc++ uses, so that a C program
 * needs no C++ library and a library that is loaded later can use them. The inlined check of a
 * guard that is already set does not come here: it is an atomic load of the program.
 */
#include "runtime/control/ctl.h"
#include "wrap.h"
#include <linux/futex.h>
#include <limits.h>
#include <stdatomic.h>
#include <sys/syscall.h>

struct once {
	struct frt_guard guard;
	struct once *outer;
	void *control;
	void (*routine)(void);
	bool c11, won;
};
_Static_assert(offsetof(struct once, guard) == 0, "a guard is the start of its call");

/* The call that this thread is in. The program's routine takes no argument,
   so neither does `winner`. */
static _Thread_local struct once *current __attribute__((tls_model("initial-exec")));

static long run(struct frt_guard *g)
{
	struct once *o = (struct once *)g;

	o->routine();
	return 0;
}

static void unwound(struct frt_guard *g)
{
	frt_after(FR_EV_ONCE_END, FR_SYNC(FR_ERROR, FR_PLAIN, 0), ((struct once *)g)->control);
	if (frt_controlled())
		frt_ctl_release(((struct once *)g)->control);
}

static void winner(void)
{
	struct once *o = current;
	struct frt_thread *t = frt_self;

	frt_assert(o && !o->won);
	current = o->outer;
	o->won = true;
	o->guard.unwound = unwound;
	if (!t) {
		o->routine();
		return;
	}
	frt_pending_done(t);
	frt_sync(t, FR_EV_ONCE_BEGIN, 0, o->control);
	frt_guarded(t, &o->guard, run);
	if ((t = frt_self)) {
		frt_ctl_hold(t); /* until libc has let other threads pass: once() */
		frt_sync(t, FR_EV_ONCE_END, 0, o->control);
	}
}

/* glibc: 1 while a thread runs the routine. */
static bool in_progress(const void *control)
{
	return (*(const volatile int *)control & 3) == 1;
}

static int once(struct frt_thread *t, struct once *o)
{
	int r = 0;

	frt_pending(t, FR_EV_ONCE_DONE, o->control);
	while (frt_controlled() && in_progress(o->control))
		frt_ctl_block(t, FR_EV_ONCE_DONE, o->control, NULL);
	o->outer = current;
	current = o;
	if (o->c11)
		REAL(call_once)(o->control, winner);
	else
		r = REAL(pthread_once)(o->control, winner);
	if (!o->won) {
		current = o->outer;
		frt_after(FR_EV_ONCE_DONE, FR_SYNC(frt_outcome(r), FR_PLAIN, 0), o->control);
	} else {
		frt_ctl_settle(o->control);
	}
	return r;
}

int frt_wrap_pthread_once(pthread_once_t *control, void (*routine)(void))
{
	struct frt_thread *t = frt_self;
	struct once o = {.control = control, .routine = routine};

	return t ? once(t, &o) : REAL(pthread_once)(control, routine);
}

void frt_wrap_call_once(once_flag *control, void (*routine)(void))
{
	struct frt_thread *t = frt_self;
	struct once o = {.control = control, .routine = routine, .c11 = true};

	if (t)
		once(t, &o);
	else
		REAL(call_once)(control, routine);
}

/* ---- C++ ---- */

#define GUARD_DONE 1u	       /* the byte that inlined code checks */
#define GUARD_PENDING 0x100u   /* a thread initialises */
#define GUARD_WAITING 0x10000u /* and others wait */
_Static_assert(!((GUARD_PENDING | GUARD_WAITING) & 0xff), "inlined code sees only GUARD_DONE");

static void guard_futex(_Atomic uint32_t *g, int op, uint32_t value)
{
	int saved = errno;

	syscall(SYS_futex, g, op | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
	errno = saved;
}

int frt_wrap___cxa_guard_acquire(uint64_t *guard)
{
	_Atomic uint32_t *g = (_Atomic uint32_t *)guard;
	struct frt_thread *t = frt_self;
	bool waited = false;

	for (;;) {
		uint32_t seen = 0;

		if (atomic_compare_exchange_strong(g, &seen, GUARD_PENDING)) {
			frt_after(FR_EV_ONCE_BEGIN, 0, guard);
			return 1;
		}
		if (seen & GUARD_DONE) {
			frt_after(FR_EV_ONCE_DONE, 0, guard);
			return 0;
		}
		if (t && frt_controlled()) {
			frt_pending(t, FR_EV_ONCE_DONE, guard);
			frt_ctl_block(t, FR_EV_ONCE_DONE, guard, NULL);
			continue;
		}
		if (!(seen & GUARD_WAITING)) {
			if (!atomic_compare_exchange_strong(g, &seen, seen | GUARD_WAITING))
				continue;
			seen |= GUARD_WAITING;
		}
		if (t && !waited)
			frt_pending(t, FR_EV_ONCE_DONE, guard);
		waited = true;
		guard_futex(g, FUTEX_WAIT, seen);
	}
}

static void guard_leave(uint64_t *guard, uint32_t to, unsigned outcome)
{
	_Atomic uint32_t *g = (_Atomic uint32_t *)guard;
	struct frt_thread *t = frt_self;

	if (t) {
		frt_ctl_hold(t);
		frt_sync(t, FR_EV_ONCE_END, FR_SYNC(outcome, FR_PLAIN, 0), guard);
	}
	if (atomic_exchange(g, to) & GUARD_WAITING)
		guard_futex(g, FUTEX_WAKE, INT_MAX);
	if (t)
		frt_ctl_settle(guard);
}

void frt_wrap___cxa_guard_release(uint64_t *guard)
{
	guard_leave(guard, GUARD_DONE, FR_OK);
}

void frt_wrap___cxa_guard_abort(uint64_t *guard)
{
	guard_leave(guard, 0, FR_ERROR);
}
