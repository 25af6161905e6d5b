/*
 * Answers from the outside world under a schedule: those of the recorded run.
 *
 * Meaning:   a thread's records (struct fr_control_file_input) are its answers in the order of its
 *            calls. A call is the recorded one if it asks the same question after the same number
 *            of hooks. At the first call that is not, the thread leaves the recorded run for good.
 *            Then it gets made-up answers, virtual time and numbers from a generator, which are the
 *            same in every run.
 * Invariant: the calling thread has the turn. A thread that lost its turn in a read first waits for
 *            it here.
 */
#ifndef FRT_CTL_INPUT_H
#define FRT_CTL_INPUT_H

#include "ctl.h"
#include <stddef.h>

/* The time in nanoseconds. */
uint64_t frt_ctl_clock(struct frt_thread *t, unsigned what, clockid_t clock);
/* Counter i of getrusage(who): `real` if the call is not the recorded one. It never decreases. */
long frt_ctl_count_of(struct frt_thread *t, int who, unsigned i, long real);
/* The recorded id, or `real` if the recorded run never asked. */
long frt_ctl_id(struct frt_thread *t, unsigned what, long real);
/* Fills the buffer. Returns the number of bytes, or -errno. */
long frt_ctl_random(struct frt_thread *t, void *p, size_t n);
/* The same for an answer of r bytes, which stays if there is no recorded one. */
long frt_ctl_kernel(struct frt_thread *t, void *p, size_t n, long r);
/* Compares the result of a call (-errno if it failed) and the hash of the data that it read. fd:
   the descriptor of a READ, or -1. */
void frt_ctl_check(struct frt_thread *t, unsigned what, int fd, int64_t result, uint64_t hash);
/*
 * The recorded result of the call that comes now, and the hash that frt_ctl_check compares with (0
 * if there is none). False: the call is not the recorded one, or the thread is in the free stage. A
 * read from another descriptor than in the recorded run is another call.
 */
bool frt_ctl_recorded(struct frt_thread *t, unsigned what, int64_t *ret, uint64_t *ret_hash);
bool frt_ctl_recorded_of(struct frt_thread *t, unsigned what, int fd, int64_t *ret,
			 uint64_t *ret_hash);
/* wrap_ready.c: the prediction for a call that waits for descriptors (NULL: too many) for at most
   ns nanoseconds (FRT_FOREVER: no limit). */
struct pollfd;
struct frt_before {
	bool answered;	/* do not make the call: r is its result */
	bool expired;	/* its time is up: it must not wait */
	int r;		/* number of descriptors that the call must find ready, 0: not known */
	uint64_t which; /* and which ones */
};
struct frt_before frt_ready_before(struct pollfd *fds, unsigned n, uint64_t ns);
/* The program's own process id as it knows it: the recorded one, if the recorded run ever asked. */
pid_t frt_ctl_told_pid(pid_t real);
struct frt_name;
/* ctl_outside.c: compares the state of a name that the program has not changed with the state that
   the recorded run found. `flags` selects the parts. error: errno of the call, 0 for success. */
void frt_ctl_name(struct frt_thread *t, const struct frt_name *n, unsigned flags, uint32_t size,
		  uint32_t content, int error);
/* A name that is not followed: its state cannot be compared. */
void frt_ctl_name_lost(struct frt_thread *t, const struct frt_name *n);
/* The recorded run gives this thread an answer before its next hook. */
bool frt_ctl_asks_first(const struct frt_thread *t);
/* After an answer: begins the handler that was waiting for it. */
void frt_ctl_answered(struct frt_thread *t);
/* The real process or thread behind an id that the program was given. */
int frt_ctl_real_id(int id);
/* The id by which the program knows a process: its own and its parent's are the recorded ones. */
pid_t frt_ctl_known_id(pid_t real);
/* Replaces the sender in the siginfo by the id that the program knows. */
void frt_ctl_own_info(siginfo_t *info);

#endif
