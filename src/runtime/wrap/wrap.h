/*
 * What the wrappers share.
 *
 * Rule:  `frt_self` is read again after every call of the real function. A signal handler may have
 *        forked in there, and the child is not recorded: its old thread state is gone.
 */
#ifndef FRT_WRAP_H
#define FRT_WRAP_H

#include "runtime/core/real.h"
#include "runtime/core/rt.h"
#include <errno.h>

/* What an error number says of an operation. */
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

/* Will this thread's unlock succeed? Normal mutexes do not care who unlocks them. */
bool frt_mutex_mine(const struct frt_thread *t, const void *m);
/* Takes it as the schedule says. Returns what pthread_mutex_timedlock would. */
int frt_ctl_mutex_lock(struct frt_thread *t, void *m, const uint64_t *until);

/* After a call that took, or did not take, a lock. */
static inline void frt_after(unsigned kind, unsigned aux, const void *obj)
{
	struct frt_thread *t = frt_self;

	if (!t)
		return;
	frt_pending_done(t);
	frt_sync(t, kind, aux, obj);
}

/*
 * wrap_named.c: what a call showed of a name outside of the program (name.h). After the call, errno
 * is its own.
 */
/* It wanted the file to exist; changed: it changes or removes it if it succeeds. */
void frt_named_wanted(int dir, const char *path, bool failed, bool changed);
/* It makes a file, and fails if there is one; or makes it whatever was there. */
void frt_named_made(int dir, const char *path, bool failed);
void frt_named_replaced(int dir, const char *path, bool failed);
/* It opened a file; fd < 0: it did not. */
void frt_named_file_opened(int dir, const char *path, int flags, int fd);
void frt_named_looked(int dir, const char *path, bool failed, unsigned mode, uint64_t size);
/* An object of that sort (enum fr_name_sort) was opened; state: what is in it. */
void frt_named_opened(unsigned sort, const char *name, int flags, bool failed, uint64_t state);
void frt_named_shm(const char *name, int flags, int fd);
void frt_named_queue(const char *name, int flags, int q);
void frt_named_removed(unsigned sort, const char *name, bool failed);
/* Before shmget and the like (SYS_*): 1 the object is there, 0 it is not, -1 it has no name; after
   it, with its flags and result. */
int frt_named_key_there(long number, long key);
void frt_named_key(long number, long key, int there, int flags, int r);
/* A socket was bound or connected; r is the result. */
struct sockaddr;
void frt_named_bound(int r, const struct sockaddr *a, socklen_t len);
void frt_named_connected(int r, const struct sockaddr *a, socklen_t len);

/* ---- wrap_guard.c: calls that cancellation, pthread_exit or a C++ exception may end ---- */

struct frt_guard {
	struct frt_guard *outer;
	void (*unwound)(struct frt_guard *g); /* the call is left by unwinding */
	uint32_t in_wrapper, signals, busy;   /* of the thread when the call began */
};

/* fn(g), with g->unwound called if it does not return. Only for recorded threads. */
long frt_guarded(struct frt_thread *t, struct frt_guard *g, long (*fn)(struct frt_guard *));

/* ---- wrap_threads.c: what is kept of each thread beside its slot in the pool ---- */

struct frt_life {
	struct frt_thread *t;
	void *start; /* its routine and argument */
	void *arg;
	struct frt_guard *guards;
	uint32_t id;
	_Atomic uint32_t ended; /* FRT_LIFE_* */
	uint32_t rounds;	/* of thread-specific destructors seen */
	uint32_t armed;		/* our destructor is set */
	uint32_t signals;	/* handlers running now */
	uint32_t held;		/* signals are blocked until it has begun */
	uint64_t mask;		/* ... those that were before */
};
#define FRT_LIFE_EXITED 1
#define FRT_LIFE_DETACHED 2

extern struct frt_life frt_lives[FR_POOL_MAX_THREADS];

static inline struct frt_life *frt_life(const struct frt_thread *t)
{
	return &frt_lives[t->id - 1];
}

/*
 * wrap_signal.c: in the parent, around the creation of a thread. Signals wait until the thread has
 * begun: a handler that runs before would not be recorded, and would keep others, who want to know
 * the thread's id, waiting.
 */
void frt_signals_hold(struct frt_life *l, const pthread_attr_t *attr);
/* In the parent, after creation, and in the thread, when it has begun. */
void frt_signals_release(const struct frt_life *l);
/* Tells that a signal is about to be sent, which this thread may handle itself (`here`) or not;
   and that it has been. */
bool frt_signal_sends(int sig, bool here);
void frt_signal_sent(int sig, bool from_sends);
/* ... and that it may be the sender who gets it, before the call returns; 0: it has returned. */
void frt_signal_raises(int sig);

/* A thread is about to exist; it tells its handle itself; or it does not exist after all. */
void frt_handle_expect(void);
void frt_handle_set(pthread_t handle, uint32_t id);
void frt_handle_unexpect(void);
/* The id behind a handle that may be joined, detached or cancelled; 0: not a recorded thread. */
uint32_t frt_handle_find(pthread_t handle);
/* The handle no longer names that thread. */
void frt_handle_drop(pthread_t handle, uint32_t id);

#endif
