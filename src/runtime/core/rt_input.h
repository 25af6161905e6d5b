/*
 * What the program gets from the outside world: clocks, random bytes, process ids, what it reads.
 *
 * Meaning:   each answer becomes an INPUT slot of the thread that asked. An INPUT is no hook: hook
 *            indices are the same whether or not anything is asked. Under a schedule the answer is
 *            the recorded one (ctl_input.h), and what cannot be answered so is compared.
 * Invariant: the runtime itself asks through REAL, never through the wrappers.
 * Not seen:  the time-stamp counter and random instructions of the processor (std::random_device
 *            uses them), system calls by inline assembly, questions asked inside libc,
 *            what wait3 and wait4 tell of a child, arc4random in static programs.
 */
#ifndef FRT_RT_INPUT_H
#define FRT_RT_INPUT_H

#include "rt.h"
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

/* The thread whose question it is; NULL: it is libc's, or the thread is not recorded. */
static inline struct frt_thread *frt_asking(void)
{
	struct frt_thread *t = frt_self;

	return t && !t->in_wrapper ? t : NULL;
}

/* Each takes the real answer, and returns what the program is told. */

/* Nanoseconds of a clock. what = TIME, CLOCK or CPU. */
uint64_t frt_input_clock(struct frt_thread *t, unsigned what, clockid_t clock, uint64_t ns);
/* Counter i of getrusage(who), which only grows. */
#define FRT_INPUT_COUNTS 14
long frt_input_count(struct frt_thread *t, int who, unsigned i, long count);
/* PID, PPID, TID. */
long frt_input_id(struct frt_thread *t, unsigned what, long id);
/* r random bytes in a buffer of n; or r = -errno. The buffer is changed where the answer is. */
long frt_input_random(struct frt_thread *t, void *p, size_t n, long r);

/* What has happened whatever was recorded; r < 0: the call failed, errno says why. */

/* r bytes with this hash were read. */
void frt_input_read(struct frt_thread *t, long r, uint64_t hash);
/* The same of a descriptor, which may be a source of random bytes; returns what the program is
   told. t may be NULL. */
ssize_t frt_input_fd(struct frt_thread *t, int fd, void *to, size_t n, ssize_t r);
/* NAME, as in the trace. */
void frt_input_name(struct frt_thread *t, uint64_t what, uint64_t name);
/* READY, ACCEPT; which: of READY, as in the trace. */
void frt_input_result(struct frt_thread *t, unsigned what, long r, uint64_t which);

/* wrap_sleep.c: sleeps in virtual time. */
enum frt_slept {
	FRT_SLEPT_NOT, /* the program is not under a schedule */
	FRT_SLEPT,
	FRT_SLEPT_INTR, /* a handler ran; *left nanoseconds are left */
};
enum frt_slept frt_sleep(uint64_t ns, uint64_t *left);

/* The real process or thread behind an id that the program may have been told. */
int frt_input_real_id(int id);

#endif
