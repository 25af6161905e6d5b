/*
 * What the outside world answers under a schedule: what it answered in the recorded run.
 *
 * Meaning:   a thread's records (struct fr_control_input) are its answers in the order of its
 *            calls. A call is the recorded one if it asks for the same, after as many hooks. From
 *            the first that is not, the thread has left the recorded run for good, and gets made up
 *            answers: virtual time, numbers from a generator, which are the same in every run.
 * Invariant: the calling thread has the turn, or waits for it here first: it may have lost it while
 *            it was in a read.
 */
#ifndef FRT_CTL_INPUT_H
#define FRT_CTL_INPUT_H

#include "ctl.h"
#include <stddef.h>

/* Nanoseconds. */
uint64_t frt_ctl_clock(struct frt_thread *t, unsigned what, clockid_t clock);
/* Counter i of getrusage(who): `real`, if it is not the recorded call. It never goes back. */
long frt_ctl_count_of(struct frt_thread *t, int who, unsigned i, long real);
/* `real`, if the recorded run never knew. */
long frt_ctl_id(struct frt_thread *t, unsigned what, long real);
/* Fills the buffer. Bytes, or -errno. */
long frt_ctl_random(struct frt_thread *t, void *p, size_t n);
/* Compares what a call returned (-errno if it failed) and the hash of what it read. */
void frt_ctl_check(struct frt_thread *t, unsigned what, int64_t result, uint64_t hash);
/* What the recorded run got from the call of this sort that comes now, and what frt_ctl_check
   compares with, 0 if there is none. False: it is not known, or the schedule is through. */
bool frt_ctl_recorded(struct frt_thread *t, unsigned what, int64_t *ret, uint64_t *ret_hash);
/* wrap_ready.c: what is known before a call that waits for descriptors (NULL: too many), for at
   most ns nanoseconds (FRT_FOREVER). */
struct pollfd;
struct frt_before {
	bool answered;	/* the call is not to be made, r is its result */
	bool expired;	/* its time is up: it must not wait any more */
	int r;		/* descriptors that are to be found ready, 0: not known */
	uint64_t which; /* ... which ones */
};
struct frt_before frt_ready_before(struct pollfd *fds, unsigned n, uint64_t ns);
/* What the program is told of its own id: the recorded one, if it ever asked. */
pid_t frt_ctl_told_pid(pid_t real);
struct frt_name;
/*
 * Compares what the program finds of a name that it has not changed with what the recorded run
 * found: the parts in `flags`. error: errno of the call, 0: it succeeded. (ctl_name.c)
 */
void frt_ctl_name(struct frt_thread *t, const struct frt_name *n, unsigned flags, uint32_t size,
		  uint32_t content, int error);
/* A name that is not followed: nobody knows whether it is as it was. */
void frt_ctl_name_lost(struct frt_thread *t, const struct frt_name *n);
/* The process or thread behind an id that was told. */
int frt_ctl_real_id(int id);
/* The id that the program knows a process by: its own and its parent's are the recorded ones. */
pid_t frt_ctl_known_id(pid_t real);
/* The sender in it becomes the one that the program knows. */
void frt_ctl_own_info(siginfo_t *info);

#endif
