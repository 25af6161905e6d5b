/* Who runs next. For ctl*.c alone. */
#ifndef FRT_CTL_TURN_H
#define FRT_CTL_TURN_H

#include "ctl_state.h"

/* The main thread has the first turn. */
void frt_ctl_turn_init(struct frt_thread *main_thread);
/* If the thread lost its turn while it was away: waits for the next. */
void frt_ctl_back(struct frt_thread *t);
/* A hook was reached and is as expected: perhaps it was a target. */
void frt_ctl_reached(struct frt_thread *t, const struct fr_control_seen *seen);
/* The limit was reached and nothing keeps the thread: the next turn, perhaps its own. */
void frt_ctl_turn_over(struct frt_thread *t);

/* ctl_signal.c: handlers that are due, now that t has the turn and none of its hooks is in
   progress. True if one has run. */
bool frt_ctl_deliver(struct frt_thread *t);
/* Is a signal kept for this thread? */
bool frt_ctl_signalled(uint32_t id);
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
