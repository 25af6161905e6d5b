/*
 * Input from the outside world: clocks, random bytes, process ids, data that the program reads.
 *
 * Meaning:   each answer becomes an INPUT slot of the thread that asked. An INPUT is no hook: hooks
 *            have the same numbers whether or not the program asks. Under a schedule the program
 *            gets the recorded answer (ctl_input.h); an answer that cannot be replaced is compared
 *            with the recorded one.
 * Invariant: the runtime itself asks through REAL, never through the wrappers.
 * Not seen:  the processor's time-stamp counter and random instructions in code that forerun cc did
 *            not compile (of which std::random_device is wrapped), system calls by inline assembly,
 *            questions inside libc, the results of wait3 and wait4 about a child, arc4random in
 *            static programs.
 */
#ifndef FRT_RT_INPUT_H
#define FRT_RT_INPUT_H

#include "rt.h"
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

/* The thread that asks; NULL: libc asks, or the thread is not recorded. */
static inline struct frt_thread *frt_asking(void)
{
	struct frt_thread *t = frt_self;

	return t && !t->in_wrapper ? t : NULL;
}

/* Each of these takes the real answer and returns the answer that the program gets. */

/* The processor's time-stamp counter, which counts faster than once a nanosecond: not a clock of
   the kernel. */
#define FRT_CLOCK_COUNTER 12

/* Nanoseconds of a clock. what = TIME, CLOCK or CPU. */
uint64_t frt_input_clock(struct frt_thread *t, unsigned what, clockid_t clock, uint64_t ns);
/* Counter i of getrusage(who), which never decreases. */
#define FRT_INPUT_COUNTS 14
long frt_input_count(struct frt_thread *t, int who, unsigned i, long count);
/* what = PID, PPID or TID. */
long frt_input_id(struct frt_thread *t, unsigned what, long id);
/* r random bytes in a buffer of n, or r = -errno. Changes the buffer to the answer. */
long frt_input_random(struct frt_thread *t, void *p, size_t n, long r);

/* The same for what the kernel tells about itself and its processes: without a recorded answer, the
   real one stays. */
long frt_input_kernel(struct frt_thread *t, void *p, size_t n, long r);

/* Results of calls that really happen; r < 0: the call failed with errno. */

/* The program read r bytes with this hash. fd = -1: from no descriptor. */
void frt_input_read(struct frt_thread *t, int fd, long r, uint64_t hash);
/* The same for a descriptor, which may be a source of random bytes. Returns the result that the
   program gets. t may be NULL. */
ssize_t frt_input_fd(struct frt_thread *t, int fd, void *to, size_t n, ssize_t r);
/* r bytes of a stream came into a buffer of n: the same without the order that a read imposes. */
ssize_t frt_input_stream(struct frt_thread *t, int fd, void *to, size_t n, ssize_t r);
/* NAME: arguments as in the trace. */
void frt_input_name(struct frt_thread *t, uint64_t what, uint64_t name);
/* READY or ACCEPT; `which` of READY as in the trace. */
void frt_input_result(struct frt_thread *t, unsigned what, long r, uint64_t which);

/* wrap_sleep.c: sleeps in virtual time. */
enum frt_slept {
	FRT_SLEPT_NOT, /* the program is not under a schedule */
	FRT_SLEPT,
	FRT_SLEPT_INTR, /* a handler ran; *left nanoseconds are left */
};
enum frt_slept frt_sleep(uint64_t ns, uint64_t *left);

/* The real process or thread behind an id that the program may have been given. */
int frt_input_real_id(int id);

#endif
