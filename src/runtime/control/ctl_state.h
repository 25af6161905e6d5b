/* What the controller knows of each thread. Shared by the files ctl*.c alone. */
#ifndef FRT_CTL_STATE_H
#define FRT_CTL_STATE_H

#include "ctl.h"

struct frt_ctl_thread {
	struct frt_thread *t;
	uint32_t known;	    /* index in the schedule, ~0: not in it */
	uint32_t hold, due; /* releases in progress; the turn ends after them */
	uint32_t next;	    /* expectation that comes next, of its own */
	bool timed, expired, cancelled, interrupted;
	bool yields;  /* it lets others run, although it could go on */
	bool restart; /* all handlers that ran last have SA_RESTART */
	bool shared;  /* blocked: on what another process may release */
	bool foreign; /* the next wait is such a one */
	uint64_t waited,
	    slice;	    /* real time in this wait, before the targets; the next slice of it */
	uint64_t waited_at; /* ... at this hook */
	uint8_t kind;	    /* blocked: in what, on what, until when */
	const void *obj;
	uint64_t until;
	struct pollfd *fds; /* blocked: until one of them is ready; NULL: not that */
	unsigned nfds;
	/* in a wait on a condition variable */
	const void *cond;
	uint64_t arrival;
};

extern struct frt_ctl_thread frt_ctl_threads[FR_POOL_MAX_THREADS];

static inline struct frt_ctl_thread *frt_ctl_thread(const struct frt_thread *t)
{
	return &frt_ctl_threads[t->id - 1];
}

/* Threads that there are or were, of the pool. */
static inline uint32_t frt_ctl_count(void)
{
	uint32_t n = __atomic_load_n((uint32_t *)&frt_pool->threads, __ATOMIC_RELAXED);

	return n < FR_POOL_MAX_THREADS ? n : FR_POOL_MAX_THREADS;
}

/* How the wait on a condition variable that t is in ended in the recorded run, if that is repeated:
   0 or ECANCELED; -1: not known. */
int frt_ctl_wait_ended(struct frt_thread *t);
/* After the targets, or when there are no turns left to follow. */
bool frt_ctl_free(void);
/* The thread leaves the schedule because it is about to end the program, and says so first: what it
   does until then is nobody's business any more. */
bool frt_ctl_dies(void);
/* ctl_heap.c: is this address the place in the heap object that is expected? */
bool frt_ctl_same_object(uint64_t value, const struct fr_control_expect *x);
/* ctl_await.c: one of the descriptors that the thread waits for is ready. */
bool frt_ctl_fd_ready(const struct frt_ctl_thread *c);
/* May try again, if it is blocked. */
void frt_ctl_ready(struct frt_ctl_thread *c);

/* ---- ctl_idle.c: no thread can run ---- */

void frt_ctl_idle_begin(void);
/* Whose turn it is when something has happened. Does not return if nothing can. */
struct frt_ctl_thread *frt_ctl_idle(const struct frt_thread *self);
/* Real time passes until this virtual time, if others act meanwhile. */
void frt_ctl_wait_real(uint64_t until);
/* Before the targets: something that is not controlled may end this wait. */
bool frt_ctl_may_come(const struct frt_ctl_thread *c);
/* ... waits for it, a little. False: for long enough. */
bool frt_ctl_wait_outside(struct frt_ctl_thread *c);
/* A blocked thread may go on because of what another one did. */
void frt_ctl_helped(void);
/* ctl_cond.c: what threads signalled that are not controlled. */
void frt_ctl_cond_foreign(void);
/* ctl_time.c: the program starts. */
void frt_ctl_time_begin(void);
/* ctl_signal.c: a timer sends this signal, to an os thread, or to any (0). */
void frt_ctl_signal_timer(int sig, uint32_t tid);

/* ---- ctl_say.c: what is told to the tool ---- */

/* Fills in who waits for what, and stops here for ever. */
__attribute__((noreturn)) void frt_ctl_hang(void);
/* The same, where something outside could still end a wait. */
__attribute__((noreturn)) void frt_ctl_give_up(void);
/* The same, where only a timer of the program is left. Goes on. */
void frt_ctl_stalled(void);
/* Leaves the schedule, and stops here for ever. */
__attribute__((noreturn)) void frt_ctl_diverge(enum fr_divergence why, struct frt_thread *t,
					       const struct fr_control_seen *seen,
					       const struct fr_control_expect *expected);
/* The same without the end. */
void frt_ctl_leave(enum fr_divergence why, struct frt_thread *t, const struct fr_control_seen *seen,
		   const struct fr_control_expect *expected);
void frt_ctl_phase(enum fr_control_phase phase);
struct fr_control_seen frt_ctl_seen(const struct frt_thread *t, uint64_t w0, uint64_t value,
				    uint32_t site);
/* Others run, as c has to wait, or has run for long enough. */
void frt_ctl_pause(const struct frt_ctl_thread *c);
void frt_ctl_stack(const struct frt_thread *t, struct fr_control_stack *ret);
/* The pool id of who holds a lock, 0: not known. */
uint32_t frt_ctl_holder(unsigned kind, const void *obj);

#endif
