/*
 * Livelock: finds out that every thread that can run repeats a loop for ever.
 *
 * Meaning:   a thread *polls* if it repeats one sequence of steps: hooks at the same sites with the
 *            same addresses, values and outcomes, and calls that yield, sleep or ask for the time.
 *            Values of memory that the loop itself writes may differ: counters. The run is a
 *            livelock if all threads poll or are blocked, and no loop writes memory that another
 *            reads.
 * Watching:  in the free stage, after some hooks, each hook of each thread is compared (limit =
 *            next hook). As soon as a thread does not poll, this ends, and begins again after twice
 *            as many hooks. So it costs long runs little.
 * Counters:  a loop may count its rounds where forerun does not see it: in a register. Such a loop
 *            may give up, or compute something and look at a flag now and then. So the state at one
 *            hook of each round (registers and stack) must be the same as in the round before, for
 *            ROUNDS rounds. A loop in which each round yields or sleeps waits for something: it may
 *            change its state, and counts as polling after ROUNDS_WAITING rounds. Counts of hooks
 *            belong to forerun, and do not count; shift_hooks checks this before the run is called
 *            a livelock.
 * Time:      if a thread that does not poll sleeps, if a timer runs, or if a loop asks for the
 *            time, virtual time jumps forward after fewer rounds, and all rounds count from 0
 *            again.
 * Paces:     threads may sleep for different times. Once a thread has polled for enough rounds,
 *            virtual time jumps to the next wake-up of a thread that has not.
 * Carry:     a loop that asks for the time may make some accesses to its own stack only now and
 *            then: where a deadline reaches the next second.
 * Recording: nobody can try a recorded run again. So in one with a fixed order, only a state that
 *            repeats counts, and nothing is decided while a thread sleeps, a timer runs or a loop
 *            asks for the time.
 * Outside:   while something outside the program could act (ctl_idle.c), or if a loop asks the
 *            kernel about it, the run is no livelock.
 * Not seen:  loops without hooks, and memory of code that forerun did not compile.
 */
#ifndef FRT_CTL_POLL_H
#define FRT_CTL_POLL_H

#include "ctl_state.h"

/* Calls in a loop that are no hooks. Numbers that no kind of event has. */
enum frt_poll_call { FRT_POLL_YIELD = 0xf0, FRT_POLL_SLEEP, FRT_POLL_TIME, FRT_POLL_OUTSIDE };

/* In the free stage: c gets the turn, of this many hooks, from `self`, which may be NULL. Returns
   the limit of c. */
uint64_t frt_ctl_poll_turn(struct frt_ctl_thread *c, uint64_t hooks, const struct frt_thread *self);
/* The thread has reached its limit in the free stage. True: its turn is not over. */
bool frt_ctl_poll_hook(struct frt_thread *t, const struct fr_control_file_seen *seen);
bool frt_ctl_poll_watches(void);
/* The thread makes such a call. */
void frt_ctl_poll_call(struct frt_thread *t, enum frt_poll_call call);
/* True if no thread has done anything but poll since the last call. */
bool frt_ctl_poll_steady(void);
/* If the thread polls: *ret is the step that describes its loop best. */
bool frt_ctl_polls(const struct frt_ctl_thread *c, struct fr_control_file_seen *ret);
/* Does the thread poll in a loop that accesses this address? */
bool frt_ctl_polls_at(const struct frt_ctl_thread *c, uint64_t addr);
/* Finds the stack of the main thread. */
void frt_ctl_poll_begin(struct frt_thread *main_thread);

#endif
