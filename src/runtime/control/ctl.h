/*
 * The controller: runs the program under a schedule (format/control_file.h).
 *
 * Meaning:   of the threads that are recorded or would be, one runs at a time: the one that has the
 *            turn. The others are parked in the runtime, each on a futex of its own. A thread comes
 *            here when the limit of its hook index is reached, which the inlined hook checks, or
 *            when a wrapper says that it cannot go on.
 * Invariant: all state of the controller belongs to the thread that has the turn; handing over is
 *            the only synchronisation. While parked, a thread's frt_self is NULL: what a debugger
 *            or a signal handler calls in it is as if we were not there.
 *
 * A wrapper under control never blocks in libc:
 *
 *	while ((r = REAL(pthread_mutex_trylock)(m)) == EBUSY)
 *		frt_ctl_block(t, FR_EV_MUTEX_LOCK, m, NULL);
 *
 * and what releases tells it after it happened: frt_ctl_release(m). A release is told (frt_sync)
 * before it acts; the turn must not end in between:
 *
 *	frt_ctl_hold(t);
 *	frt_sync(t, FR_EV_MUTEX_UNLOCK, ...);
 *	REAL(pthread_mutex_unlock)(m);
 *	frt_ctl_settle(m);		// wakes those who wait for m; the turn may end here
 */
#ifndef FRT_CTL_H
#define FRT_CTL_H

#include "format/control_file.h"
#include "runtime/core/rt.h"
#include <signal.h>
#include <time.h>

#define FRT_EXIT_CONTROL 113 /* the control file cannot be had */

/* NULL: not controlled. */
extern struct fr_control *frt_ctl;

#define frt_controlled() frt_unlikely(frt_ctl != NULL)

/* Maps the control file. */
bool frt_ctl_attach(const char *path);
/* wrap_cpu.c: from now on everything runs there. */
void frt_cpu_pin(unsigned cpu);
/* A new thread has the mask of the thread that creates it. */
void frt_cpu_inherit(const struct frt_thread *parent, const struct frt_thread *child);
/* The main thread has the first turn. */
void frt_ctl_start(struct frt_thread *main_thread);
/* In a forked child: no longer controlled. */
void frt_ctl_off(void);

/* From frt_slow_limit: the limit of t is reached at this hook. May park. */
void frt_ctl_hook(struct frt_thread *t, uint64_t w0, uint64_t value, uint32_t site);

/* Until settle, the turn does not end. They nest. Nothing when not controlled. */
void frt_ctl_hold(struct frt_thread *t);
/* The thread is about to be unwound out of a call that holds its turn. */
void frt_ctl_let_go(struct frt_thread *t);
/* obj: what was released; NULL: nothing. */
void frt_ctl_settle(const void *obj);
/* Threads that are blocked on obj may try again. */
void frt_ctl_release(const void *obj);

/*
 * This thread cannot go on: it waits for obj in a call of that kind. Returns 0 when it has the turn
 * and should try again; ETIMEDOUT when `until` has passed, which is when the schedule says so or
 * when nothing else can run. `until` is from frt_ctl_until; NULL: waits for ever.
 */
int frt_ctl_block(struct frt_thread *t, unsigned kind, const void *obj, const uint64_t *until);
/* The same: another process may end the wait. */
int frt_ctl_block_shared(struct frt_thread *t, unsigned kind, const void *obj,
			 const uint64_t *until);
/* The outcome that the schedule wants of the thread's next hook, -1 if it does not say. */
int frt_ctl_outcome(const struct frt_thread *t);
/*
 * The recorded run is repeated, and there the next call of this thread was refused (trylock and the
 * like). When exactly is not known: its stamp may be behind that of who gave the lock up then.
 */
bool frt_ctl_refuses(const struct frt_thread *t);
/* After the turns: lets others go first. */
void frt_ctl_yield(struct frt_thread *t);
/* The thread has been asked to end: if it is blocked it may look. */
void frt_ctl_cancel(uint32_t id);
/* In a signal handler: keeps the signal, and its info unless that is NULL, for later; false: it is
   to be handled now. */
bool frt_ctl_defer(int sig, const siginfo_t *info);
/* The thread that has the turn sends a signal that has a handler to another one. */
void frt_ctl_send(uint32_t id, int sig);
/* Under a schedule, one that has no handler, or to another thread, has been sent. */
void frt_ctl_sent(int sig);
/* sigtimedwait; info is not NULL. */
int frt_ctl_sigwait(struct frt_thread *t, const sigset_t *set, siginfo_t *info,
		    const struct timespec *timeout);
/* The program itself has sent it. */
bool frt_ctl_sent_here(const siginfo_t *info);
/* A handler has run while the thread was blocked: true once. any: also one with SA_RESTART, after
   which calls of most sorts go on. */
bool frt_ctl_interrupted(struct frt_thread *t, bool any);
/* It has been asked to end, and cancellation is not switched off. */
bool frt_ctl_cancelled(struct frt_thread *t);

/* The parent, before the child exists, and after: until the child has parked. */
void frt_ctl_create(struct frt_thread *parent, struct frt_thread *child);
void frt_ctl_created(struct frt_thread *child);
/* There is no child after all. */
void frt_ctl_not_created(struct frt_thread *child);
/* The child, before its first hook: parks until its first turn. */
void frt_ctl_begin(struct frt_thread *t);
/* After its last hook: passes the turn on for good. */
void frt_ctl_end(struct frt_thread *t);
/* Has it ended? */
bool frt_ctl_over(uint32_t id);

/*
 * This thread is about to wait for one of these descriptors, for at most ns nanoseconds
 * (FRT_FOREVER: without a limit). After the targets others run until one is ready. Before them the
 * call itself waits.
 */
struct pollfd;
#define FRT_FOREVER UINT64_MAX
enum frt_await {
	FRT_AWAIT_CALL,	   /* the call is to be made */
	FRT_AWAIT_EXPIRED, /* the same, but it must not wait any more */
	FRT_AWAIT_HANDLED, /* a handler with SA_RESTART has run */
	FRT_AWAIT_INTR,	   /* a handler without it has run */
};
enum frt_await frt_ctl_await(struct frt_thread *t, struct pollfd *fds, unsigned n, uint64_t ns);

/* Virtual time, nanoseconds: goes on with what the recorded run was told and with sleeps. */
uint64_t frt_ctl_now(clockid_t clock);
/* Nanoseconds until this virtual time. */
uint64_t frt_ctl_left(uint64_t until);
/* The clock goes on to this virtual time, if it is not there yet. */
void frt_ctl_pass_until(uint64_t vtime);
/* Sleeps until this virtual time. False: a handler has run before. */
bool frt_ctl_sleep(struct frt_thread *t, uint64_t until);
/* A timed call of the recorded run expired here: the clock is at its limit, and what comes from
   outside has had as much time. */
void frt_ctl_expires(uint64_t until);
/* A time that the kernel gave a file, as the program's clocks have it. */
void frt_ctl_file_time(struct timespec *ts);

/* The recorded run was told this time. */
void frt_ctl_told(clockid_t clock, uint64_t ns);
/* A point in time as frt_ctl_block wants it. */
uint64_t frt_ctl_until(clockid_t clock, const struct timespec *ts);

/* ctl_heap.c: memory was allocated, which the next hook of t tells. */
void frt_ctl_allocated(struct frt_thread *t, const void *p);

/* ---- ctl_cond.c: condition variables and barriers of controlled programs ---- */

/* From here on signals reach this thread; before it gives the mutex up. */
void frt_ctl_cond_begin(struct frt_thread *t, const void *cond);
/* The mutex is given up. Returns 0, ETIMEDOUT or ECANCELED. */
int frt_ctl_cond_wait(struct frt_thread *t, const uint64_t *until);
void frt_ctl_cond_signal(const void *cond, bool all);
/* From a thread that is not controlled. */
void frt_ctl_cond_signal_foreign(const void *cond, bool all);
/* Arrives; the number of the arrival is for leave. */
uint64_t frt_ctl_barrier_enter(const void *obj, unsigned count);
/* Waits for the others. True in the one thread that is to get PTHREAD_BARRIER_SERIAL_THREAD. */
bool frt_ctl_barrier_leave(struct frt_thread *t, const void *obj, unsigned count, uint64_t arrival);
void frt_ctl_barrier_reset(const void *obj);

#endif
