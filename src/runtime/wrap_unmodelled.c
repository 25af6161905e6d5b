/*
 * What orders or makes threads, and is not modelled: counted under its name, then done.
 * The recorder names these at the end of a run.
 * Harmless and left alone: attributes, priorities, names, affinity, thread-specific data,
 * vfork, posix_spawn, dlclose.
 * Not seen at all: futex and clone by inline assembly, io_uring, shared memory of other processes.
 */
#include "ctl.h"
#include "wrap.h"
#include <stdarg.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <sys/syscall.h>

#define COUNTED(ret, name, params, args) \
	ret frt_wrap_##name params       \
	{                                \
		frt_unmodelled(#name);   \
		return REAL(name) args;  \
	}

COUNTED(int, pthread_mutex_setprioceiling, (pthread_mutex_t *restrict m, int to, int *restrict was),
	(m, to, was))
COUNTED(int, setcontext, (const ucontext_t *to), (to))
COUNTED(int, swapcontext, (ucontext_t *restrict from, const ucontext_t *restrict to), (from, to))
COUNTED(int, ftrylockfile, (FILE * f), (f))
COUNTED(int, semop, (int id, struct sembuf *ops, size_t n), (id, ops, n))
COUNTED(int, semtimedop, (int id, struct sembuf *ops, size_t n, const struct timespec *timeout),
	(id, ops, n, timeout))
COUNTED(void *, dlmopen, (Lmid_t space, const char *file, int mode), (space, file, mode))

void frt_wrap_flockfile(FILE *f)
{
	frt_unmodelled("flockfile");
	REAL(flockfile)(f);
}

void frt_wrap_funlockfile(FILE *f)
{
	REAL(funlockfile)(f); /* counted with the lock */
}

/* Objects shared with other processes: what those do is not seen. */
#define SHARED(name, type)                            \
	int frt_wrap_##name(type *attr, int shared)   \
	{                                             \
		if (shared == PTHREAD_PROCESS_SHARED) \
			frt_unmodelled(#name);        \
		return REAL(name)(attr, shared);      \
	}

SHARED(pthread_mutexattr_setpshared, pthread_mutexattr_t)
SHARED(pthread_condattr_setpshared, pthread_condattr_t)
SHARED(pthread_rwlockattr_setpshared, pthread_rwlockattr_t)
SHARED(pthread_barrierattr_setpshared, pthread_barrierattr_t)

int frt_wrap_pthread_setcanceltype(int type, int *old)
{
	if (type == PTHREAD_CANCEL_ASYNCHRONOUS)
		frt_unmodelled("pthread_setcanceltype");
	return REAL(pthread_setcanceltype)(type, old);
}

/* Threads that libc makes are not recorded. */
int frt_wrap_mq_notify(mqd_t queue, const struct sigevent *event)
{
	if (event && event->sigev_notify == SIGEV_THREAD)
		frt_unmodelled("mq_notify");
	return REAL(mq_notify)(queue, event);
}

/* ---- clone and system calls by number ---- */

struct child {
	int (*fn)(void *);
	void *arg;
};

/* A child with its own memory is like one of fork. */
static int clone_child(void *arg)
{
	struct child c = *(struct child *)arg;

	frt_off_after_fork();
	return c.fn(c.arg);
}

int frt_wrap_clone(int (*fn)(void *), void *stack, int flags, void *arg, ...)
{
	struct child c = {fn, arg};
	pid_t *parent_tid, *child_tid;
	void *tls;
	va_list args;

	va_start(args, arg);
	parent_tid = va_arg(args, pid_t *);
	tls = va_arg(args, void *);
	child_tid = va_arg(args, pid_t *);
	va_end(args);
	frt_unmodelled("clone");
	if (frt_pool && !(flags & CLONE_VM))
		return REAL(clone)(clone_child, stack, flags, &c, parent_tid, tls, child_tid);
	return REAL(clone)(fn, stack, flags, arg, parent_tid, tls, child_tid);
}

/* Does this make a child with its own memory? */
static bool makes_process(long number, const long *a)
{
	return number == SYS_fork || (number == SYS_clone && !(a[0] & CLONE_VM)) ||
	       (number == SYS_clone3 && !(((struct clone_args *)a[0])->flags & CLONE_VM));
}

/* Waiting and waking in a controlled program, as libstdc++ and locks of the program's own do. */
static bool controlled_futex(struct frt_thread *t, const long *a, long *ret)
{
	const struct timespec *ts = (const struct timespec *)a[3];
	unsigned op = (unsigned)a[1] & ~(unsigned)(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME);
	clockid_t clock = a[1] & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
	uint32_t *word = (uint32_t *)a[0];
	uint64_t until = 0;

	if (op == FUTEX_WAKE || op == FUTEX_WAKE_BITSET) {
		frt_ctl_release(word);
		*ret = 1;
		return true;
	}
	if (op != FUTEX_WAIT && op != FUTEX_WAIT_BITSET)
		return false;
	*ret = -1;
	errno = EAGAIN;
	if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != (uint32_t)a[2])
		return true;
	if (ts && op == FUTEX_WAIT) {
		struct timespec zero = {0};

		until = frt_ctl_until(CLOCK_MONOTONIC, &zero) + (uint64_t)ts->tv_sec * 1000000000 +
			(uint64_t)ts->tv_nsec;
	} else if (ts) {
		until = frt_ctl_until(clock, ts);
	}
	frt_pending(t, FR_EV_USER_LOCK, word);
	errno = frt_ctl_block(t, FR_EV_USER_LOCK, word, ts ? &until : NULL);
	frt_pending_done(t);
	*ret = errno ? -1 : 0;
	return true;
}

/* What has a wrapper under its own name, and is often called by number. */
static bool asked(long number, const long *a, long *ret)
{
	switch (number) {
	case SYS_gettid:
		*ret = frt_wrap_gettid();
		return true;
	case SYS_getpid:
		*ret = frt_wrap_getpid();
		return true;
	case SYS_getrandom:
		*ret = frt_wrap_getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
		return true;
	case SYS_tgkill:
		*ret = frt_wrap_tgkill((pid_t)a[0], (pid_t)a[1], (int)a[2]);
		return true;
	default:
		return false;
	}
}

long frt_wrap_syscall(long number, ...)
{
	struct frt_thread *t = frt_self;
	long a[6], r;
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (t && !t->busy && !t->in_wrapper) {
		if (number == SYS_futex) {
			frt_unmodelled("syscall(SYS_futex)");
			if (frt_controlled() && controlled_futex(t, a, &r))
				return r;
		} else if (asked(number, a, &r)) {
			return r;
		}
	}
	if (frt_pool && number == SYS_exit_group && frt_pool->pid == REAL(getpid)())
		frt_finish(1);
	r = REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (r == 0 && frt_pool && makes_process(number, a))
		frt_off_after_fork();
	return r;
}
