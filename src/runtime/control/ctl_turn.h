/* The choice of the next thread and the hand-over of the turn. For ctl*.c only. */
#ifndef FRT_CTL_TURN_H
#define FRT_CTL_TURN_H

#include "ctl_state.h"
#include "runtime/core/real.h"
#include <stdatomic.h>
#include <sys/syscall.h>

static inline void frt_ctl_futex(_Atomic uint32_t *word, int op, uint32_t value)
{
	syscall(SYS_futex, word, op, value, NULL, NULL, 0);
}

static inline uint32_t frt_ctl_status(const struct frt_ctl_thread *c)
{
	frt_assert(c->t);
	return atomic_load(&frt_ctl->status[c->t->id - 1]);
}

static inline void frt_ctl_set_status(const struct frt_ctl_thread *c, enum fr_control_file_status s)
{
	frt_assert(c->t);
	atomic_store(&frt_ctl->status[c->t->id - 1], s);
}

/* ---- ctl_turn.c ---- */

/* Chooses the next thread and sets its limit. NULL: every thread that could run is away. */
struct frt_ctl_thread *frt_ctl_choose(struct frt_thread *self);
/* True while the turns are followed: before the targets and the free stage. */
bool frt_ctl_turns(void);
/* The thread that has the turn must wait for obj. That is its target, or the schedule diverges,
   unless the thread runs ahead of its turn or is in the free stage. */
void frt_ctl_blocks(struct frt_thread *t, unsigned kind, const void *obj);
/* This thread has been created; its parent holds the turn. */
void frt_ctl_has_created(const struct frt_thread *child);
/* Finds the schedule's thread for a new thread; `parent` is the parent's index in the schedule. */
void frt_ctl_know(struct frt_thread *t, uint32_t parent);
/* Records an event of the finding that happens before its targets. */
void frt_ctl_event(uint32_t event, const struct fr_control_file_seen *seen);
/* A thread diverges after all events but the last have
   happened. True if the run continues in the free stage. */
bool frt_ctl_leave_before_last(enum fr_divergence why, struct frt_thread *t,
			       const struct fr_control_file_seen *seen,
			       const struct fr_control_file_expect *expected);
/* The thread reached a hook that is as expected: checks whether it was a target. */
void frt_ctl_reached(struct frt_thread *t, const struct fr_control_file_seen *seen);

/* The thread of the schedule with this index, NULL: not created yet. */
struct frt_ctl_thread *frt_ctl_of_schedule(uint32_t known);
/* True if the thread is not blocked, away or over. */
bool frt_ctl_can_run(const struct frt_ctl_thread *c);

/* ---- ctl_place.c ---- */

/* True while the schedule is followed by place. */
bool frt_ctl_by_place(void);
void frt_ctl_place_begin(void);
/* The thread that has the turn reached a hook. */
void frt_ctl_place_hook(struct frt_thread *t, const struct fr_control_file_seen *seen);
/* It must wait; seen describes the call. */
void frt_ctl_place_blocks(struct frt_thread *t, const struct fr_control_file_seen *seen);
/* Its next hook cannot happen, because its access faults: seen has the address. */
void frt_ctl_place_faulted(struct frt_thread *t, struct fr_control_file_seen *seen);
/* It lets other threads run. True if they should. */
bool frt_ctl_place_yields(struct frt_thread *t);
/* Chooses the next thread. NULL: all that could run are away, or the run goes on freely. */
struct frt_ctl_thread *frt_ctl_place_choose(struct frt_thread *self);
/* ctl_turn.c: ends the run by place; the threads run on freely. */
void frt_ctl_go_on(void);
/* ctl.c: compares a hook with the thread's expectation, except for its value. After the first
   difference, the thread has no more expectations. */
bool frt_ctl_on_path(struct frt_ctl_thread *c, const struct fr_control_file_seen *seen);

/* ---- ctl_pass.c ---- */

/* Gives the turn to c; NULL: to the first thread that comes back. */
void frt_ctl_pass(struct frt_ctl_thread *c);
/* True if the thread still sleeps outside. If it is on its way back, waits for it. */
bool frt_ctl_stays_away(const struct frt_ctl_thread *c);
/* Parks until the thread has the turn again. */
void frt_ctl_park(struct frt_thread *t);
/* The main thread takes the first turn. */
void frt_ctl_turn_init(struct frt_thread *main_thread);
/* If the thread lost its turn while it was away: waits for its next turn. */
void frt_ctl_back(struct frt_thread *t);
/* Ends the turn at the limit and starts the next turn, perhaps of the same thread. */
void frt_ctl_turn_over(struct frt_thread *t);

/* The next thread by number that can run now, NULL: none. */
struct frt_ctl_thread *frt_ctl_scan(const struct frt_thread *self);
/* Reads a file of /proc about a thread of this process. Returns the bytes read, 0 on failure. */
long frt_ctl_task_file(uint32_t tid, const char *name, char *to, size_t size);

/* ctl_time.c: virtual nanoseconds since the start of the program. */
extern uint64_t frt_ctl_vtime;

/* ctl_signal.c: runs the handlers that are due. t has the turn, and none of its hooks is in
   progress. True if a handler ran. */
bool frt_ctl_deliver(struct frt_thread *t);
/* True if a signal is kept for this thread. */
bool frt_ctl_signalled(uint32_t id);
/* Is a signal on its way to another thread, which has not noted it yet? The signal is pending, or
   the thread is awake. A process may send a signal and end before the signal arrives. */
bool frt_ctl_signal_comes(void);
/* Consumes a signal from outside, whether it has come or will: it is not handled again. */
void frt_ctl_claim(int sig);
/* True if this signal, which has come now, was consumed before. */
bool frt_ctl_take_early(int sig);
/* Makes the kept signals of this set pending in the kernel; the thread blocks them. */
void frt_ctl_hand_over(const struct frt_thread *t, const sigset_t *set);
/* ctl.c: the signal whose handler begins at the next hook of t, 0 if none. */
int frt_ctl_signal_due(const struct frt_thread *t);
/* True if a child sent that signal in the recorded run. */
bool frt_ctl_child_due(const struct frt_thread *t);

/* The thread while it is parked, otherwise NULL. */
extern _Thread_local struct frt_thread *frt_ctl_parked __attribute__((tls_model("initial-exec")));

/* ctl.c: the hook of the thread's next expectation, UINT64_MAX if none. */
uint64_t frt_ctl_next_check(const struct frt_thread *t);
/* ctl.c: compares a hook with its expectation. */
enum fr_divergence frt_ctl_compare(const struct fr_control_file_expect *x,
				   const struct fr_control_file_seen *seen);

/* ctl_freed.c: do two events have common bytes, or does one free the object of the other? The
   earlier one is first. */
bool frt_ctl_meet(const struct fr_control_file_seen *a, const struct fr_control_file_seen *b);

/* Do two accesses have common bytes? Of any two structs with `addr` and `size`. The object of a
   call, such as a mutex, has no size: its first byte counts. */
#define frt_ctl_end_of(x) ((x)->addr + ((x)->size ? (x)->size : 1))
#define frt_ctl_overlap(a, b) ((a)->addr < frt_ctl_end_of(b) && (b)->addr < frt_ctl_end_of(a))

#endif
