/* The controller's state of each thread, shared by the files ctl*.c only. */
#ifndef FRT_CTL_STATE_H
#define FRT_CTL_STATE_H

#include "ctl.h"
#include "runtime/core/rt_assert.h"

struct frt_ctl_thread {
	struct frt_thread *t;
	uint32_t known;	    /* index in the schedule, ~0: the schedule does not have it */
	uint32_t hold, due; /* releases in progress; the turn ends after them */
	uint32_t next;	    /* the thread's next expectation */
	uint32_t handlers;  /* of signals, running now; more if one left by longjmp */
	bool timed, expired, cancelled, interrupted;
	uint32_t yielded; /* calls that let others run, in the free stage */
	bool yields;	  /* the thread lets others run although it could continue */
	bool restart;	  /* all handlers that ran last have SA_RESTART */
	bool shared;	  /* blocked: another process may release the object */
	bool foreign;	  /* the next wait is on such an object */
	/* before the targets: real time spent in this wait, length of its next slice */
	uint64_t waited, slice;
	uint64_t waited_at; /* hook of that wait */
	uint8_t kind;	    /* blocked: kind of the call; then its object and its timeout */
	const void *obj;
	uint64_t until;
	struct pollfd *fds; /* blocked: until one of them is ready; NULL: waits for no descriptor */
	unsigned nfds;
	uintptr_t sp;	/* when it gave the turn away: its variables are above */
	uint64_t block; /* size of the memory that the next hook frees */
	bool keeps;	/* that free is an event of the finding: the memory must stay out of use */
	uint64_t turn_began, turn_end; /* in the free stage: hooks of the turn */
	/* while waiting on a condition variable */
	const void *cond;
	uint64_t arrival;
};

/* A random number from the nth multiple of FRT_CTL_SPLITMIX after a seed (splitmix64). */
#define FRT_CTL_SPLITMIX UINT64_C(0x9e3779b97f4a7c15)
static inline uint64_t frt_ctl_splitmix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

extern struct frt_ctl_thread frt_ctl_threads[FR_POOL_MAX_THREADS];

static inline struct frt_ctl_thread *frt_ctl_thread(const struct frt_thread *t)
{
	frt_assert(t->id && t->id <= FR_POOL_MAX_THREADS);
	return &frt_ctl_threads[t->id - 1];
}

/* Number of threads that the pool has ever had. */
static inline uint32_t frt_ctl_count(void)
{
	uint32_t n = __atomic_load_n((uint32_t *)&frt_pool->threads, __ATOMIC_RELAXED);

	return n < FR_POOL_MAX_THREADS ? n : FR_POOL_MAX_THREADS;
}

/* If this run repeats the recorded schedule: how the condition wait of t ended in the recorded run
   (0 or ECANCELED). -1: not known. */
int frt_ctl_wait_ended(struct frt_thread *t);
/* True in the free stage: after the targets, or after the last turn if there are no targets. */
bool frt_ctl_free(void);
/* True if the thread diverged because it is about to end the program, after it has printed the
   reason. The thread then leaves the schedule and is no longer checked. */
bool frt_ctl_dies(void);
/* ctl_heap.c: true if this address is the expected offset in the expected heap object. */
bool frt_ctl_same_object(uint64_t value, const struct fr_control_file_expect *x);
/* ctl_await.c: true if one of the descriptors that the thread waits for is ready. */
bool frt_ctl_fd_ready(const struct frt_ctl_thread *c);
/* Makes a blocked thread ready to try again. */
void frt_ctl_ready(struct frt_ctl_thread *c);
/* ctl_block.c: t ends. The kernel gives each robust mutex that t holds to a waiting thread. */
void frt_ctl_leave_robust(const struct frt_thread *t);

/* ---- ctl_idle.c: no thread can run ---- */

void frt_ctl_idle_begin(void);
/* Waits until a thread can run and returns it. Does not return if nothing can happen any more. */
struct frt_ctl_thread *frt_ctl_idle(const struct frt_thread *self);
/* A thread has spent this virtual time. Timeouts that are due expire. */
void frt_ctl_spend(uint64_t ns);
/* Waits in real time until this virtual time, while something outside can act. */
void frt_ctl_wait_real(uint64_t until);
/* Before the targets: true if something that is not controlled may end this wait. */
bool frt_ctl_may_come(const struct frt_ctl_thread *c);
/* Waits for that for a short time. False: the wait has used up the patience. */
bool frt_ctl_wait_outside(struct frt_ctl_thread *c);
/* A wait for a signal that a child sent in the recorded run; all zero at its start. */
struct frt_ctl_wait {
	uint64_t waited, slice;
	bool last;
};
/* Waits for such a signal for a short time. False: it will not come, or not soon. Then the world
   differs from that of the recorded run. */
bool frt_ctl_child_may_send(struct frt_thread *t, struct frt_ctl_wait *w);
/* ctl_outside.c: a child did not send a signal that it sent in the recorded run. */
void frt_ctl_signal_missing(struct frt_thread *t);
/* The ghost cannot do what a peer did in the recorded run. t may be NULL. */
void frt_ctl_peer_missing(struct frt_thread *t, int error);
/* Lets the next timer expire, or the next timeout of a thread, although threads can run. Timeouts
   of the threads for which `skip` is true do not count. */
void frt_ctl_idle_expire(bool (*skip)(const struct frt_ctl_thread *c));
/* Can one of these descriptors deliver data that this process did not send? */
struct pollfd;
bool frt_ctl_from_outside(const struct pollfd *fds, unsigned n);
/* FR_OUTSIDE_*: the causes that could act now. */
uint32_t frt_ctl_outside(void);
/* May a wait of this thread end by its timeout, which the recorded run does not show? Not while
   another thread can run, even if the schedule holds that thread: it might end the wait. */
bool frt_ctl_may_expire(const struct frt_ctl_thread *c);
/* Lets the earliest timeout of a blocked thread expire, if it may, and returns the thread; else
   NULL. */
struct frt_ctl_thread *frt_ctl_expire_next(void);
/* A blocked thread may continue because of an action of another one. */
void frt_ctl_helped(void);
/* ctl_cond.c: performs the signals that threads outside of control sent. */
void frt_ctl_cond_foreign(void);
/* ctl_time.c: starts the clock. */
void frt_ctl_time_begin(void);
/* ctl_signal.c: a timer sends this signal to a thread of the kernel, or to any (0). */
void frt_ctl_signal_timer(int sig, uint32_t tid);

/* ---- ctl_report.c: what the controller reports to the tool through the control file ---- */

/* Hang: records the waiting threads and stops for good. */
__attribute__((noreturn)) void frt_ctl_hang(void);
/* The same when something outside could still end a wait (FR_PHASE_OUTSIDE). */
__attribute__((noreturn)) void frt_ctl_give_up(void);
/* Records the waiting threads when only a timer of the program is left, and returns. */
void frt_ctl_stalled(void);
/* Records the divergence and stops for good. */
__attribute__((noreturn)) void frt_ctl_diverge(enum fr_divergence why, struct frt_thread *t,
					       const struct fr_control_file_seen *seen,
					       const struct fr_control_file_expect *expected);
/* The run by place is over: stops for good. */
__attribute__((noreturn)) void frt_ctl_placed(void);
/* Records the divergence and returns. */
void frt_ctl_leave(enum fr_divergence why, struct frt_thread *t,
		   const struct fr_control_file_seen *seen,
		   const struct fr_control_file_expect *expected);
void frt_ctl_phase(enum fr_control_file_phase phase);
struct fr_control_file_seen frt_ctl_seen(const struct frt_thread *t, uint64_t w0, uint64_t value,
					 uint32_t site);
/* Records that other threads run because c has to wait or has used up its quantum. */
void frt_ctl_pause(const struct frt_ctl_thread *c);
void frt_ctl_stack(const struct frt_thread *t, struct fr_crash_stack *ret);
/* Pool id of the thread that holds a lock, 0: not known. */
uint32_t frt_ctl_holder(unsigned kind, const void *obj);

#endif
