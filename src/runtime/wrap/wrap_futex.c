/*
 * Futexes, of syscall(SYS_futex) and so of C++20's std::atomic::wait, latches, barriers and
 * semaphores.
 *
 * A wait is three events: it begins (FUTEX_BEGIN), the kernel compares the word (an atomic load of
 * the value that was found), it ends (FUTEX_WAIT). The load stands between the two others, because
 * the thread cannot know before the call whether it will sleep. A thread that slept found the value
 * that it expects. FUTEX_WAKE is emitted before a call that wakes.
 *
 * Not handled: the bits of FUTEX_WAIT_BITSET, which count as all set. FUTEX_REQUEUE and the like
 * wake all waiters under a schedule, which the kernel allows. Futexes with priority inheritance
 * order threads as an annotation does.
 */
#include "format/hook_abi.h"
#include "runtime/control/ctl.h"
#include "runtime/core/rt_branch.h"
#include "runtime/core/shared_mapping.h"
#include "runtime/core/slow.h"
#include "wrap.h"
#include <linux/futex.h>
#include <sys/syscall.h>

static unsigned op_of(const long *a)
{
	return (unsigned)a[1] & ~(unsigned)(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME);
}

static long call(const long *a)
{
	return REAL(syscall)(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* ---- waits ---- */

/* The word was compared with the value that the thread expects, which decides what it does. */
static void compared(struct frt_thread *t, const uint32_t *word, uint32_t value)
{
	frt_h_atomic_load(word, value, 2 | __ATOMIC_SEQ_CST << 3, frt_call_site(t));
	if (frt_branch_next)
		frt_slow_branch(frt_call_site(t), 0, FR_BRANCH_IF);
}

/* Returns the point in virtual time until which the call waits. */
static uint64_t until_of(const long *a)
{
	const struct timespec *ts = (const struct timespec *)a[3];
	struct timespec zero = {0};

	if (op_of(a) == FUTEX_WAIT)
		return frt_ctl_until(CLOCK_MONOTONIC, &zero) + (uint64_t)ts->tv_sec * 1000000000 +
		       (uint64_t)ts->tv_nsec;
	return frt_ctl_until(a[1] & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, ts);
}

/* Under a schedule: returns the error number. A wake-up that comes after FUTEX_BEGIN counts. */
static int controlled_wait(struct frt_thread *t, const long *a)
{
	const uint32_t *word = (const uint32_t *)a[0];
	uint64_t until = a[3] ? until_of(a) : 0;
	uint32_t value;
	bool equal, shared;
	int err;

	frt_ctl_cond_begin(t, word);
	frt_sync(t, FR_EV_FUTEX_BEGIN, 0, word);
	value = __atomic_load_n(word, __ATOMIC_SEQ_CST);
	compared(t, word, value);
	equal = value == (uint32_t)a[2];
	shared = equal && !(a[1] & FUTEX_PRIVATE_FLAG) && frt_is_shared(word);
	err = frt_ctl_futex_wait(t, shared, equal, a[3] ? &until : NULL);
	if (err == EAGAIN) /* a loop that reads again needs another thread's step */
		frt_ctl_yield(t);
	return err;
}

/* Not under a schedule. */
static int recorded_wait(struct frt_thread *t, const long *a)
{
	const uint32_t *word = (const uint32_t *)a[0];
	int err;

	frt_sync(t, FR_EV_FUTEX_BEGIN, 0, word);
	err = call(a) < 0 ? errno : 0;
	t = frt_self;
	if (t)
		compared(t, word,
			 err == EAGAIN ? __atomic_load_n(word, __ATOMIC_SEQ_CST) : (uint32_t)a[2]);
	return err;
}

static long futex_wait(struct frt_thread *t, const long *a)
{
	const uint32_t *word = (const uint32_t *)a[0];
	int err;

	frt_pending(t, FR_EV_FUTEX_WAIT, word);
	err = frt_controlled() ? controlled_wait(t, a) : recorded_wait(t, a);
	frt_assert(err >= 0);
	t = frt_self;
	if (t) {
		frt_pending_done(t);
		frt_sync(t, FR_EV_FUTEX_WAIT,
			 FR_SYNC(frt_outcome(err), a[3] ? FR_TIMED : FR_PLAIN, 0), word);
	}
	errno = err;
	return err ? -1 : 0;
}

/* ---- wake-ups ---- */

/* Under a schedule: returns the number of threads that this wakes besides those in the kernel. */
static long controlled_wake(const long *a, unsigned op)
{
	uint32_t all = UINT32_MAX;

	switch (op) {
	case FUTEX_WAKE_OP:
		return frt_ctl_futex_wake((const void *)a[0], all) +
		       frt_ctl_futex_wake((const void *)a[4], all);
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
		return frt_ctl_futex_wake((const void *)a[0], all);
	default:
		return frt_ctl_futex_wake((const void *)a[0], (uint32_t)a[2]);
	}
}

static long futex_wake(struct frt_thread *t, const long *a)
{
	unsigned op = op_of(a);
	bool second = op == FUTEX_WAKE_OP || op == FUTEX_REQUEUE || op == FUTEX_CMP_REQUEUE;
	int saved;
	long r;

	frt_ctl_hold(t);
	frt_sync(t, FR_EV_FUTEX_WAKE, second || (uint32_t)a[2] != 1, (const void *)a[0]);
	if (second)
		frt_sync(t, FR_EV_FUTEX_WAKE, 1, (const void *)a[4]);
	r = call(a); /* another process may wait as well */
	saved = errno;
	t = frt_self;
	if (t && frt_controlled() && r >= 0)
		r += controlled_wake(a, op);
	if (t)
		frt_ctl_settle(NULL);
	errno = saved;
	return r;
}

/* A call that passes ownership of the word. */
static long futex_owner(struct frt_thread *t, const long *a, bool waits)
{
	int saved;
	long r;

	if (!waits) {
		frt_ctl_hold(t);
		frt_sync(t, FR_EV_USER_RELEASE, 0, (const void *)a[0]);
	}
	r = call(a);
	saved = errno;
	t = frt_self;
	if (t && waits)
		frt_sync(t, FR_EV_USER_ACQUIRE, 0, (const void *)a[0]);
	else if (t)
		frt_ctl_settle(NULL);
	errno = saved;
	return r;
}

long frt_futex(struct frt_thread *t, const long *a)
{
	switch (op_of(a)) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return futex_wait(t, a);
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
	case FUTEX_WAKE_OP:
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
		return futex_wake(t, a);
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
	case FUTEX_TRYLOCK_PI:
	case FUTEX_WAIT_REQUEUE_PI:
		return futex_owner(t, a, true);
	default:
		return futex_owner(t, a, false);
	}
}
