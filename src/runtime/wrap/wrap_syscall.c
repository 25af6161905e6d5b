/*
 * System calls by number. Those that have a wrapper under their own name go there; wrap_futex.c has
 * futexes.
 * Not handled: the memory that a call by number reads and writes is not recorded, so a race with it
 * is not found. Calls of SYS_io_uring_*, SYS_membarrier and SYS_futex_waitv are counted as not
 * modelled; other calls that are not listed impose no order.
 */
#include "runtime/control/ctl.h"
#include "runtime/core/rt_input.h"
#include "runtime/core/kernel.h"
#include "runtime/core/rt_stream.h"
#include "wrap.h"
#include <linux/sched.h>
#include <stdarg.h>
#include <sys/syscall.h>

/* True if the call makes a child with its own memory. */
static bool makes_process(long number, const long *a)
{
	return number == SYS_fork || (number == SYS_clone && !(a[0] & CLONE_VM)) ||
	       (number == SYS_clone3 && !(((struct clone_args *)a[0])->flags & CLONE_VM));
}

/* ---- calls that impose order ---- */

#define P(i) ((void *)a[i])
#define I(i) ((int)a[i])
#define Z(i) ((size_t)a[i])

/* The program wants the kernel, not a function that may be its own: never REAL(name). */
static long raw(long number, const long *a)
{
	return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* A call that changes one or two objects. */
static long gives(long number, const long *a, uint64_t key, uint64_t second)
{
	struct frt_give g;
	long r;

	frt_give_begin(&g);
	frt_give(&g, key);
	frt_give(&g, second);
	r = raw(number, a);
	frt_give_end(&g);
	return r;
}

/* A call that observes an object. */
static long gets(long number, const long *a, uint64_t key)
{
	long r = raw(number, a);
	struct frt_thread *t = frt_asking();

	if (t)
		frt_take(t, key);
	return r;
}

/* A call that does both, and may wait. */
static long trades(long number, const long *a, uint64_t key, uint64_t second)
{
	struct frt_thread *t;
	struct frt_give g;
	long r;

	frt_give_begin(&g);
	g.waits = true;
	frt_give(&g, key);
	frt_give(&g, second);
	r = raw(number, a);
	t = frt_asking();
	if (t) {
		frt_take(t, key);
		frt_take(t, second);
	}
	frt_give_end(&g);
	return r;
}

/* Ids and random bytes. */
static bool identity(long number, const long *a, long *ret)
{
	switch (number) {
	case SYS_gettid:
		*ret = frt_wrap_gettid();
		return true;
	case SYS_getpid:
		*ret = frt_wrap_getpid();
		return true;
	case SYS_getrandom:
		*ret = frt_wrap_getrandom(P(0), Z(1), (unsigned)a[2]);
		return true;
	case SYS_sched_getaffinity:
	case SYS_sched_setaffinity:
		*ret = frt_cpu_syscall(number, I(0), Z(1), P(2));
		return true;
	case SYS_tgkill:
		*ret = frt_wrap_tgkill(I(0), I(1), I(2));
		return true;
	default:
		return false;
	}
}

static bool descriptors(long number, const long *a, long *ret)
{
	const struct msghdr *m = P(1);

	/* The number may name another object from now on. */
	if (number == SYS_close)
		frt_key_copied(-1, I(0));
#ifdef SYS_dup2
	if (number == SYS_dup2)
		frt_key_copied(-1, I(1));
#endif
	if (number == SYS_dup3)
		frt_key_copied(-1, I(1));
	switch (number) {
	case SYS_write:
	case SYS_writev:
	case SYS_pwrite64:
	case SYS_pwritev:
	case SYS_close:
	case SYS_shutdown:
	case SYS_ftruncate:
	case SYS_timerfd_settime:
	case SYS_mq_timedsend:
		*ret = gives(number, a, frt_key_out(I(0), NULL, 0), FRT_KEY_NONE);
		return true;
	case SYS_sendto:
		*ret = gives(number, a, frt_key_out(I(0), P(4), (socklen_t)a[5]), FRT_KEY_NONE);
		return true;
	case SYS_sendmsg:
		*ret =
		    gives(number, a, frt_key_out(I(0), m->msg_name, m->msg_namelen), FRT_KEY_NONE);
		return true;
	case SYS_read:
	case SYS_readv:
	case SYS_pread64:
	case SYS_preadv:
	case SYS_recvfrom:
	case SYS_recvmsg:
	case SYS_mq_timedreceive:
		*ret = gets(number, a, frt_key_in(I(0)));
		return true;
	case SYS_flock:
		*ret = trades(number, a, frt_key_in(I(0)), FRT_KEY_NONE);
		return true;
	default:
		return false;
	}
}

/* Coarse: a call that only looks at a name also releases it. */
static bool names(long number, const long *a, long *ret)
{
	switch (number) {
#ifdef SYS_open
	case SYS_open:
	case SYS_unlink:
	case SYS_mkdir:
	case SYS_rmdir:
		*ret = trades(number, a, frt_key_name(P(0)), FRT_KEY_NONE);
		return true;
	case SYS_rename:
	case SYS_link:
		*ret = trades(number, a, frt_key_name(P(0)), frt_key_name(P(1)));
		return true;
	case SYS_access:
		*ret = gets(number, a, frt_key_name(P(0)));
		return true;
#endif
	case SYS_openat:
	case SYS_unlinkat:
	case SYS_mkdirat:
		*ret = trades(number, a, frt_key_name(P(1)), FRT_KEY_NONE);
		return true;
	case SYS_linkat:
	case SYS_renameat2:
		*ret = trades(number, a, frt_key_name(P(1)), frt_key_name(P(3)));
		return true;
	default:
		return false;
	}
}

static bool objects(long number, const long *a, long *ret)
{
	switch (number) {
	case SYS_semop:
		*ret = frt_wrap_semop(I(0), P(1), Z(2));
		return true;
	case SYS_semtimedop:
		*ret = frt_wrap_semtimedop(I(0), P(1), Z(2), P(3));
		return true;
	case SYS_msgsnd:
		*ret = frt_wrap_msgsnd(I(0), P(1), Z(2), I(3));
		return true;
	case SYS_msgrcv:
		*ret = frt_wrap_msgrcv(I(0), P(1), Z(2), a[3], I(4));
		return true;
	case SYS_io_uring_setup:
	case SYS_io_uring_enter:
		frt_unmodelled("syscall(SYS_io_uring)");
		return false;
	case SYS_membarrier:
		frt_unmodelled("syscall(SYS_membarrier)");
		return false;
#ifdef SYS_futex_waitv
	case SYS_futex_waitv:
		frt_unmodelled("syscall(SYS_futex_waitv)");
		return false;
#endif
	default:
		return false;
	}
}

/* The call that a wrapper is performing in this thread, and its frame. The wrapper may pass it on
   to a function of the program that makes the same system call: that one is made directly. */
static _Thread_local struct {
	long number;
	const char *frame;
} inside;

static bool nested(long number)
{
	return inside.frame && number == inside.number &&
	       (const char *)__builtin_frame_address(0) < inside.frame;
}

static bool wrapped(long number, const long *a, long *ret)
{
	bool done;

	if (nested(number))
		return false;
	inside.number = number;
	inside.frame = __builtin_frame_address(0);
	done = identity(number, a, ret) || descriptors(number, a, ret) || names(number, a, ret) ||
	       objects(number, a, ret);
	inside.frame = NULL;
	return done;
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
		if (number == SYS_futex)
			return frt_futex(t, a);
		if (wrapped(number, a, &r))
			return r;
	}
	if (frt_pool && number == SYS_exit_group && frt_pool->pid == getpid())
		frt_finish(1);
	r = REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (r == 0 && frt_pool && makes_process(number, a))
		frt_off_after_fork();
	return r;
}
