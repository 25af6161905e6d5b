/*
 * Functions that order or create threads and are not modelled: counted under their names, then
 * called. The recorder prints the names at the end of a run.
 *
 * Harmless and left alone: attributes, priorities, names, affinity, thread-specific data, vfork,
 * posix_spawn.
 * Not seen: futex and clone by inline assembly, io_uring, shared memory of other processes.
 */
#include "runtime/control/ctl.h"
#include "wrap.h"
#include <stdarg.h>
#include <linux/sched.h>

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
COUNTED(void *, dlmopen, (Lmid_t space, const char *file, int mode), (space, file, mode))

/* Objects that other processes share: the actions of those processes are not seen. */
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

/* ---- clone ---- */

struct child {
	int (*fn)(void *);
	void *arg;
};

/* A child with its own memory is like a child of fork. */
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
