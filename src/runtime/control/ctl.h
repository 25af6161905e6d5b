/*
 * The controller: makes the program follow a schedule.
 *
 * The tool writes the schedule into a control file (fr_control_file_build in
 * src/confirm/control_file_build.c, layout in format/control_file.h). The runtime maps the file at
 * start (frt_ctl_attach), and the tool watches it during the run (src/confirm/execution.c). The
 * program runs in three stages (ctl_turn.c):
 *   turns    the threads run in the order of the schedule's turns;
 *   targets  each target is the next step of its thread, and the targets happen in their order;
 *   free     to the end of the program, one thread at a time, `quantum` hooks each.
 *
 * Turn:      of the threads that the runtime records, one runs at a time: the one that has the
 *            turn. The others are parked in the runtime, each on its own futex (frt_ctl_park). The
 *            hook at which a thread must stop is its `limit`. The inlined hook compares its number
 *            with the limit and calls frt_slow_limit, which calls frt_ctl_hook. That function
 *            compares the hook with the schedule's expectation and hands the turn on.
 * Status:    each thread has one of enum fr_control_file_status. CREATED: its parent waits until it
 *            has parked. READY: parked, can run. RUNNING: has the turn. BLOCKED: parked, waits for
 *            an object or descriptor that the controller knows. AWAY: the thread sleeps in a system
 *            call that the controller does not know, and has lost its turn. OVER: ended.
 * Wake-up:   the thread that has the turn chooses the next one (frt_ctl_choose), wakes it
 *            (frt_ctl_pass) and parks. A release makes the threads that are blocked on the object
 *            READY (frt_ctl_release). If the running thread sleeps in a system call, the tool
 *            notices (deputise in src/process/turn_watch.c) and makes a parked thread pass the turn
 *            on (ctl_pass.c).
 * No thread: ctl_idle.c waits for events from outside, or moves virtual time to the next timeout.
 * Failure:   if the program does something else than the schedule expects, frt_ctl_diverge records
 *            the divergence and stops. If no thread can ever run again, frt_ctl_hang records the
 *            waiting threads. If something outside could still end a wait but does not do so in
 *            time, frt_ctl_give_up records that. The tool then kills the process.
 * Invariant: all state of the controller belongs to the thread that has the turn. Handing the turn
 *            over is the only synchronisation. While a thread is parked, its frt_self is NULL:
 *            functions that a debugger or a signal handler calls in it are not recorded.
 *
 * The files of control/:
 *   ctl.c          start and end of control, and the hook of a thread whose limit is reached
 *   ctl_turn.c     the choice of the next thread; ctl_pass.c wakes it and parks the present one
 *   ctl_place.c    follows a schedule by place, after the program left its hooks
 *   ctl_state.h    the state of each thread, for these files only
 *   ctl_block.c    waits for objects; ctl_cond.c for conditions, futexes and barriers;
 *                  ctl_await.c for descriptors; ctl_sigwait.c for signals
 *   ctl_signal.c   signal handlers, where the schedule has them
 *   ctl_time.c     virtual time; ctl_timer.c the program's timers
 *   ctl_input.c    the recorded answers from outside; ctl_ghost.c asks the ghost to play the peers;
 *                  ctl_outside.c compares the outside world with the recorded one
 *   ctl_heap.c     names of heap objects; ctl_freed.c memory that stays out of use after a free
 *   ctl_idle.c     waits when no thread can run; ctl_poll.c finds threads that loop for ever
 *   ctl_report.c   reports to the tool through the control file
 *
 * Under control a wrapper never blocks in libc:
 *
 *	while ((r = REAL(pthread_mutex_trylock)(m)) == EBUSY)
 *		frt_ctl_block(t, FR_EV_MUTEX_LOCK, m, NULL);
 *
 * A wrapper emits a release before the real call. The turn must not end between the two:
 *
 *	frt_ctl_hold(t);
 *	frt_sync(t, FR_EV_MUTEX_UNLOCK, ...);
 *	REAL(pthread_mutex_unlock)(m);
 *	frt_ctl_settle(m);		// wakes the threads that wait for m; the turn may end here
 */
#ifndef FRT_CTL_H
#define FRT_CTL_H

#include "format/control_file.h"
#include "runtime/core/rt.h"
#include <signal.h>
#include <time.h>

#define FRT_EXIT_CONTROL 113 /* exit status: the control file cannot be mapped */

/* NULL: the program is not controlled. */
extern struct fr_control_file *frt_ctl;

#define frt_controlled() frt_unlikely(frt_ctl != NULL)

/* Maps the control file. False if it is missing or not valid. */
bool frt_ctl_attach(const char *path);
/* wrap_cpu.c: pins the program to this processor. */
void frt_cpu_pin(unsigned cpu);
/* A new thread inherits the affinity mask of its creator. */
void frt_cpu_inherit(const struct frt_thread *parent, const struct frt_thread *child);
/* Starts control. The main thread has the first turn. */
void frt_ctl_start(struct frt_thread *main_thread);
/* In a forked child: control ends. In its parent: it may share memory with the child. */
void frt_ctl_off(void);
void frt_ctl_forked(void);

/* Called by frt_slow_limit: t has reached its limit at this hook. May park the thread. */
void frt_ctl_hook(struct frt_thread *t, uint64_t w0, uint64_t value, uint32_t site);

/* Reports that t is about to call something that fails. Only when controlled. */
void frt_ctl_fails(const struct frt_thread *t, uint32_t site);

/* Keeps the turn until frt_ctl_settle. Calls nest. Does nothing when not controlled. */
void frt_ctl_hold(struct frt_thread *t);
/* Drops all holds: the thread is about to be unwound out of a call that holds its turn. */
void frt_ctl_let_go(struct frt_thread *t);
/* Ends a hold. obj is the object that was released, or NULL. */
void frt_ctl_settle(const void *obj);
/* Makes the threads that are blocked on obj ready to try again. */
void frt_ctl_release(const void *obj);

/*
 * Blocks the thread on obj in a call with this event kind. Returns 0 when the thread has the turn
 * and should try again, or ETIMEDOUT when `until` has passed. A timeout passes when the schedule
 * demands it or when nothing else can run. `until` comes from frt_ctl_until; NULL means no timeout.
 */
int frt_ctl_block(struct frt_thread *t, unsigned kind, const void *obj, const uint64_t *until);
/* Does a thread that waits in frt_ctl_block wait for obj in a call with this event kind? */
bool frt_ctl_waits(unsigned kind, const void *obj);
/* The same as frt_ctl_block for an object that another process may release. */
int frt_ctl_block_shared(struct frt_thread *t, unsigned kind, const void *obj,
			 const uint64_t *until);
/* The outcome that the schedule wants of the thread's next hook, -1 if it does not specify one. */
int frt_ctl_outcome(const struct frt_thread *t);
/* True if this run repeats the recorded schedule and the recorded run refused the thread's next
   call (trylock and the like). The exact moment is not known: the call's stamp may come after that
   of the unlock by the thread that then held the lock. */
bool frt_ctl_refuses(const struct frt_thread *t);
/* In the free stage: lets other threads run first. */
void frt_ctl_yield(struct frt_thread *t);
/* A cancellation request for this thread: if it is blocked, it wakes to check. */
void frt_ctl_cancel(uint32_t id);
/* Called in a signal handler: keeps the signal, and `info` unless NULL, for later. False: the
   caller must handle the signal now. */
bool frt_ctl_defer(int sig, const siginfo_t *info);
/* A signal that comes from the thread itself, by its number. */
bool frt_ctl_is_fault(int sig);
/* A handler begins between two hooks: counts the hook before it that no event has (FR_CTL_GAP). */
void frt_ctl_gap(struct frt_thread *t);
/* A handler begins, or has ended, in the thread. The handler itself may lose the turn, even if the
   interrupted call holds it: pass the result of begin to end. */
uint32_t frt_ctl_handler_begin(const struct frt_thread *t);
void frt_ctl_handler_end(const struct frt_thread *t, uint32_t hold);
/* The thread that has the turn sends another thread a signal that has a handler. info: NULL if the
   handler gets none. */
void frt_ctl_send(uint32_t id, int sig, const siginfo_t *info);
/* t sends this process a signal that has a handler. Returns the pool id of the thread that handles
   it; 0: the kernel decides. */
uint32_t frt_ctl_receiver(const struct frt_thread *t, int sig);
/* A signal was sent that has no handler or is for another thread: wakes threads that may wait. */
void frt_ctl_sent(int sig);
/* Bits in `which` of READY after a wait for signals: the sender of the signal. */
#define FRT_SENT_HERE 1
#define FRT_SENT_BY_CHILD 2
/* sigtimedwait under a schedule; info must not be NULL. */
int frt_ctl_sigwait(struct frt_thread *t, const sigset_t *set, siginfo_t *info,
		    const struct timespec *timeout);
/* True if this process sent the signal. */
bool frt_ctl_sent_here(const siginfo_t *info);
/* ctl_idle.c: true if this process is a child, alive or dead, that nobody waited for. */
bool frt_ctl_is_child(long pid);
/* Returns FR_SIGNAL_CHILD or FR_SIGNAL_OUTSIDE if that sent the signal, else 0. */
unsigned frt_ctl_sender(const siginfo_t *info);
/* True once if a handler ran while the thread was blocked. any: also count handlers with
   SA_RESTART, after which most calls continue. */
bool frt_ctl_interrupted(struct frt_thread *t, bool any);
/* True if the thread has a cancellation request and cancellation is enabled. */
bool frt_ctl_cancelled(struct frt_thread *t);

/* In the parent: before the child exists, and after;
   frt_ctl_created waits until the child has parked. */
void frt_ctl_create(struct frt_thread *parent, struct frt_thread *child);
void frt_ctl_created(struct frt_thread *child);
/* In the parent: the creation failed. */
void frt_ctl_not_created(struct frt_thread *child);
/* ctl_poll.c: the part of the thread's stack that the program uses ends here. */
void frt_ctl_poll_stack(struct frt_thread *t, uintptr_t end);
/* In the child, before its first hook: parks until its first turn. */
void frt_ctl_begin(struct frt_thread *t);
/* In the thread, after its last hook: passes the turn on for good. */
void frt_ctl_end(struct frt_thread *t);
/* True if the thread has ended. */
bool frt_ctl_over(uint32_t id);

/* The thread is about to wait for one of these descriptors, for at most ns nanoseconds
   (FRT_FOREVER: no limit). In the free stage other threads run until a descriptor is ready. Before
   it, this returns at once and the call itself waits. */
struct pollfd;
#define FRT_FOREVER UINT64_MAX
enum frt_await {
	FRT_AWAIT_CALL,	   /* make the call */
	FRT_AWAIT_EXPIRED, /* make the call, but it must not wait */
	FRT_AWAIT_HANDLED, /* a handler with SA_RESTART ran */
	FRT_AWAIT_INTR,	   /* a handler without SA_RESTART ran */
};
enum frt_await frt_ctl_await(struct frt_thread *t, struct pollfd *fds, unsigned n, uint64_t ns);

/* Virtual time of a clock in nanoseconds. Recorded answers and sleeps move it forward. */
uint64_t frt_ctl_now(clockid_t clock);
/* The time that this clock has reached, without moving it; 0 = not known yet. */
uint64_t frt_ctl_clock_value(clockid_t clock);
/* Nanoseconds left until this virtual time. */
uint64_t frt_ctl_left(uint64_t until);
/* Moves the clock forward to this virtual time, never back. */
void frt_ctl_pass_until(uint64_t vtime);
/* Sleeps until this virtual time. False: a handler ran before. */
bool frt_ctl_sleep(struct frt_thread *t, uint64_t until);
/* A timed call of the recorded run expired here: moves the clock to the limit, and gives everything
   outside as much real time if something there can act. */
void frt_ctl_expires(uint64_t until);
/* Converts a file time of the kernel to the program's virtual clock. */
void frt_ctl_file_time(struct timespec *ts);

/* The recorded run read this time from the clock. */
void frt_ctl_told(clockid_t clock, uint64_t ns);
/* Converts a point in time to the `until` of frt_ctl_block. */
uint64_t frt_ctl_until(clockid_t clock, const struct timespec *ts);

/* ctl_heap.c: t allocated p; the next hook of t is the event of the allocation. */
void frt_ctl_allocated(struct frt_thread *t, const void *p);

/* ---- ctl_cond.c: condition variables, futexes and barriers of controlled programs ---- */

/* Makes t a waiter, which signals can reach. Call it before t unlocks the mutex. */
void frt_ctl_cond_begin(struct frt_thread *t, const void *cond);
/* Waits, after t unlocked the mutex. Returns 0, ETIMEDOUT or ECANCELED. */
int frt_ctl_cond_wait(struct frt_thread *t, const uint64_t *until);
void frt_ctl_cond_signal(const void *cond, bool all);
/* The same, called by a thread that is not controlled. */
void frt_ctl_cond_signal_foreign(const void *cond, bool all);
/* Ends a wait for a futex that frt_ctl_cond_begin began. equal: the word has the expected value.
   shared: another process may wake it. Returns 0, EAGAIN, EINTR or ETIMEDOUT. */
int frt_ctl_futex_wait(struct frt_thread *t, bool shared, bool equal, const uint64_t *until);
/* Wakes at most this many waiters. Returns their number. */
uint32_t frt_ctl_futex_wake(const void *word, uint32_t most);
/* Counts an arrival; returns its number, for frt_ctl_barrier_leave. */
uint64_t frt_ctl_barrier_enter(const void *obj, unsigned count);
/* Waits for the others. True in the one thread that gets PTHREAD_BARRIER_SERIAL_THREAD. */
bool frt_ctl_barrier_leave(struct frt_thread *t, const void *obj, unsigned count, uint64_t arrival);
void frt_ctl_barrier_reset(const void *obj);

#endif
