/*
 * The wrappers: functions that run instead of libc's when the program calls them.
 *
 * A call of NAME comes to frt_wrap_NAME through a stub (core/interpose_*.c); src/format/wrapped.def
 * lists the names. Calls of string, memory and I/O functions in instrumented code first come to
 * frt_libc_NAME, to which the pass redirects them (src/pass/call.c). Those also record the memory
 * that the call reads and writes.
 *
 * libc_*.c:  libc_ranges.c (strings and blocks), libc_format.c and libc_scan.c (formats), libc_io.c
 *            and libc_kernel.c (input, output and other system calls), libc_checked.c
 *            (_FORTIFY_SOURCE), libc_names.c (by name alone). libc_access.h is what they share.
 * Threads:   wrap_thread.c, wrap_threads.c (ids behind handles), wrap_unwind.c (unwinding).
 * Locks:     wrap_mutex.c, wrap_rwlock.c, wrap_cond.c, wrap_sem.c, wrap_barrier.c, wrap_once.c,
 *            wrap_user.c.
 * Memory:    wrap_malloc.c, wrap_delete.c, wrap_mmap.c.
 * C++:       wrap_std_nodes.c (nodes of containers, at hooks of the pass).
 * Kernel:    wrap_io.c, wrap_read.c, wrap_kernel.c, wrap_file.c, wrap_stdio.c, wrap_ready.c,
 *            wrap_epoll.c, wrap_aio.c, wrap_sysv.c, wrap_syscall.c order threads by keys
 *            (core/kernel.h, core/rt_stream.h). wrap_futex.c: futexes.
 * Inputs:    wrap_time.c, wrap_random.c, wrap_id.c, wrap_cpu.c, wrap_named.c (core/rt_input.h).
 * Signals:   wrap_signal.c, wrap_sigwait.c, wrap_timer.c, wrap_sleep.c.
 * Processes: wrap_process.c, wrap_child.c. Calls that are not modelled: wrap_unmodelled.c.
 *
 * A wrapper calls the real function at once if frt_self is NULL. Otherwise it emits the event,
 * makes the real call or, under a schedule, lets the controller perform it (control/ctl.h).
 * core/rt.h shows an example.
 *
 * Rule:      read frt_self again after every call of the real function. A signal handler may have
 *            forked in there. The child is not recorded, and its old thread state is gone.
 */
#ifndef FRT_WRAP_H
#define FRT_WRAP_H

#include "runtime/core/real.h"
#include "runtime/core/rt.h"
#include "runtime/core/rt_assert.h"
#include <errno.h>
#include <stdarg.h>

/* Defines the variadic function `name`, whose last named parameter is `format`. It passes its
   arguments to `call`, which takes a va_list after those given here. */
#define FRT_VARIADIC(name, params, call, ...) \
	int name params                       \
	{                                     \
		va_list args;                 \
		int r;                        \
                                              \
		va_start(args, format);       \
		r = call(__VA_ARGS__, args);  \
		va_end(args);                 \
		return r;                     \
	}

/* Nanoseconds. */
static inline uint64_t frt_from_timespec(const struct timespec *ts)
{
	return (uint64_t)ts->tv_sec * UINT64_C(1000000000) + (uint64_t)ts->tv_nsec;
}

/* The outcome of an operation from its error number. */
static inline unsigned frt_outcome(int err)
{
	switch (err) {
	case 0:
		return FR_OK;
	case EBUSY:
	case EAGAIN:
		return FR_BUSY;
	case ETIMEDOUT:
		return FR_TIMEDOUT;
	case EOWNERDEAD:
		return FR_OWNERDEAD;
	case EDEADLK:
		return FR_DEADLK;
	case EPERM:
		return FR_NOTOWNER;
	case EINTR:
		return FR_INTR;
	default:
		return FR_ERROR;
	}
}

/* The same for the results of C11 threads. */
static inline unsigned frt_outcome_c11(int r)
{
	switch (r) {
	case thrd_success:
		return FR_OK;
	case thrd_busy:
		return FR_BUSY;
	case thrd_timedout:
		return FR_TIMEDOUT;
	default:
		return FR_ERROR;
	}
}

/* glibc keeps the type in the low bits of __kind, with flags above. */
#define FRT_MUTEX_ROBUST 16
#define FRT_MUTEX_PI 32

static inline unsigned frt_mutex_type(const void *m)
{
	return (unsigned)((const pthread_mutex_t *)m)->__data.__kind & 3;
}

/* True if this thread's unlock will succeed. Any thread can unlock a normal mutex. */
bool frt_mutex_mine(const struct frt_thread *t, const void *m);
/* Locks as the schedule demands. Returns the result of pthread_mutex_timedlock. */
int frt_ctl_mutex_lock(struct frt_thread *t, void *m, const uint64_t *until);

/* Emits the event of a call that took a lock, or failed to. */
static inline void frt_after(unsigned kind, unsigned aux, const void *obj)
{
	struct frt_thread *t = frt_self;

	if (!t)
		return;
	frt_pending_done(t);
	frt_sync(t, kind, aux, obj);
}

/*
 * ---- wrap_named.c: names outside of the program (core/outside_name.h) ----
 *
 * Called after the call, with its errno.
 */
/* The call needed an existing file. changed: a successful call changes or removes it. */
void frt_named_wanted(int dir, const char *path, bool failed, bool changed);
/* The call makes a file and fails if one exists; frt_named_replaced: it
   replaces an existing one. */
void frt_named_made(int dir, const char *path, bool failed);
void frt_named_replaced(int dir, const char *path, bool failed);
/* The call opened a file; fd < 0: it failed. */
void frt_named_file_opened(int dir, const char *path, int flags, int fd);
void frt_named_examined(int dir, const char *path, bool failed, unsigned mode, uint64_t size);
/* The call opened an object of that kind (enum fr_name_kind); state: its content. */
void frt_named_opened(unsigned kind, const char *name, int flags, bool failed, uint64_t state);
void frt_named_shm(const char *name, int flags, int fd);
void frt_named_queue(const char *name, int flags, int q);
void frt_named_removed(unsigned kind, const char *name, bool failed);
/* Before shmget and the like (SYS_*): 1 if the object exists, 0 if not, -1 if it has no name. After
   the call: records that with the flags and the result. */
int frt_named_key_there(long number, long key);
void frt_named_key(long number, long key, int there, int flags, int r);
/* A call bound or connected a socket; r is its result. */
struct sockaddr;
/* Before a bind: keeps the file that the socket would replace. */
void frt_named_binds(const struct sockaddr *a, socklen_t len);
void frt_named_bound(int r, const struct sockaddr *a, socklen_t len);
void frt_named_connected(int r, const struct sockaddr *a, socklen_t len);

/* wrap_futex.c: syscall(SYS_futex) with these arguments. */
/* wrap_cpu.c: SYS_sched_getaffinity and SYS_sched_setaffinity by number. */
long frt_cpu_syscall(long number, pid_t pid, size_t size, void *set);
long frt_futex(struct frt_thread *t, const long *a);

/* ---- wrap_unwind.c: calls that cancellation, pthread_exit or a C++ exception may end ---- */

struct frt_guard {
	struct frt_guard *outer;
	void (*unwound)(struct frt_guard *g); /* called when the call is left by unwinding */
	uint32_t in_wrapper, signals, busy;   /* of the thread when the call began */
};

/* Calls fn(g); calls g->unwound if fn does not return. Only for recorded threads. */
long frt_guarded(struct frt_thread *t, struct frt_guard *g, long (*fn)(struct frt_guard *));

/* ---- wrap_threads.c: state of each thread beside its slot in the pool ---- */

struct frt_life {
	struct frt_thread *t;
	void *start; /* the thread's start routine, then its argument */
	void *arg;
	struct frt_guard *guards;
	uint32_t id;
	_Atomic uint32_t ended; /* FRT_LIFE_* */
	uint32_t rounds;	/* rounds of thread-specific destructors seen */
	uint32_t armed;		/* the runtime's destructor is set */
	uint32_t signals;	/* handlers running now */
	uint32_t held;		/* signals are blocked until the thread has begun */
	uint64_t mask;		/* the mask before that */
};
#define FRT_LIFE_EXITED 1
#define FRT_LIFE_DETACHED 2

extern struct frt_life frt_lives[FR_POOL_MAX_THREADS];

static inline struct frt_life *frt_life(const struct frt_thread *t)
{
	frt_assert(t->id && t->id <= FR_POOL_MAX_THREADS);
	return &frt_lives[t->id - 1];
}

/* wrap_signal.c: in the parent, around the creation of a thread. Blocks signals until the thread
   has begun. A handler that ran earlier would not be recorded, and would delay other threads that
   look up the new thread's id. */
void frt_signals_hold(struct frt_life *l, const pthread_attr_t *attr);
/* In the parent after the creation, and in the thread when it has begun. */
void frt_signals_release(const struct frt_life *l);
/* Before and after a call that sends a signal. here: this thread may handle the signal itself. Pass
   the result of frt_signal_sends to frt_signal_sent. */
bool frt_signal_sends(int sig, bool here);
void frt_signal_sent(int sig, bool from_sends);
/* The sender may itself get the signal before the call returns; 0: the call has returned. */
void frt_signal_raises(int sig);
/* Returns the pool id of the thread that handles a signal from this thread to the whole process; 0:
   the kernel decides. */
uint32_t frt_signal_receiver(int sig);
/* Sends it to that thread. */
int frt_signal_to(uint32_t id, int sig);

/* A thread is about to exist; it sets its handle itself; or its creation failed. */
void frt_handle_expect(void);
void frt_handle_set(pthread_t handle, uint32_t id);
void frt_handle_unexpect(void);
/* The id behind a handle that may be joined, detached or cancelled; 0: not a recorded thread. */
uint32_t frt_handle_find(pthread_t handle);
/* The handle no longer names that thread. */
void frt_handle_drop(pthread_t handle, uint32_t id);

#endif
