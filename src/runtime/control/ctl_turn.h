/* Who runs next, and how it gets to know. For ctl*.c alone. */
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
	return atomic_load(&frt_ctl->status[c->t->id - 1]);
}

static inline void frt_ctl_set_status(const struct frt_ctl_thread *c, enum fr_control_status s)
{
	atomic_store(&frt_ctl->status[c->t->id - 1], s);
}

/* ---- ctl_turn.c ---- */

/* Whose turn it is now, and its limit. NULL: everybody who could run is away. */
struct frt_ctl_thread *frt_ctl_choose(struct frt_thread *self);
/* The turns are followed: neither the targets nor what comes after. */
bool frt_ctl_turns(void);
/* The thread, which has the turn, has to wait for obj: that is its target, or the schedule is
   wrong, unless it runs ahead or after the targets. */
void frt_ctl_blocks(struct frt_thread *t, unsigned kind, const void *obj);
/* A new thread, the index of its parent in the schedule: which one of the schedule is it? */
void frt_ctl_know(struct frt_thread *t, uint32_t parent);
/* An event of the finding on the way to its targets has happened. */
void frt_ctl_event(uint32_t event, const struct fr_control_seen *seen);
/* A hook was reached and is as expected: perhaps it was a target. */
/* A thread leaves the schedule between the last event but one and the last: true if all go on,
 * free.
 */
bool frt_ctl_astray(enum fr_divergence why, struct frt_thread *t,
		    const struct fr_control_seen *seen, const struct fr_control_expect *expected);
void frt_ctl_reached(struct frt_thread *t, const struct fr_control_seen *seen);

/* ---- ctl_pass.c ---- */

/* The turn goes to c, or to the first that comes. */
void frt_ctl_pass(struct frt_ctl_thread *c);
/* It waits outside. One that does no longer, and is on its way back, is waited for. */
bool frt_ctl_stays_away(const struct frt_ctl_thread *c);
/* Until the thread has the turn again. */
void frt_ctl_park(struct frt_thread *t);
/* The main thread has the first turn. */
void frt_ctl_turn_init(struct frt_thread *main_thread);
/* If the thread lost its turn while it was away: waits for the next. */
void frt_ctl_back(struct frt_thread *t);
/* The limit was reached and nothing keeps the thread: the next turn, perhaps its own. */
void frt_ctl_turn_over(struct frt_thread *t);

/* The thread that can run now and is next by its number, NULL: none can. */
struct frt_ctl_thread *frt_ctl_scan(const struct frt_thread *self);
/* A file of /proc about a thread of this process: bytes read, 0 if it cannot be read. */
long frt_ctl_task_file(uint32_t tid, const char *name, char *to, size_t size);

/* ctl_time.c: virtual nanoseconds since the start. */
extern uint64_t frt_ctl_vtime;

/* ctl_signal.c: handlers that are due, now that t has the turn and none of its hooks is in
   progress. True if one has run. */
bool frt_ctl_deliver(struct frt_thread *t);
/* Is a signal kept for this thread? */
bool frt_ctl_signalled(uint32_t id);
/* A signal from outside is taken as if it had come, or has: it is not handled again. */
void frt_ctl_claim(int sig);
/* It has come, and was taken before. */
bool frt_ctl_late(int sig);
/* Signals of the set that are kept for this thread become pending, as they are blocked. */
void frt_ctl_hand_over(const struct frt_thread *t, const sigset_t *set);
/* ctl.c: the signal whose handler begins at the next hook of t, 0 if none. */
int frt_ctl_signal_due(const struct frt_thread *t);

/* The thread that is parked here. */
extern _Thread_local struct frt_thread *frt_ctl_parked __attribute__((tls_model("initial-exec")));

/* ctl.c: the hook of the thread's next expectation, UINT64_MAX if none. */
uint64_t frt_ctl_next_check(const struct frt_thread *t);
/* ctl.c: how what was seen differs. */
enum fr_divergence frt_ctl_compare(const struct fr_control_expect *x,
				   const struct fr_control_seen *seen);

#endif
