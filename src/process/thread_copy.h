/*
 * A copy of a stopped process with one of its threads, executed instruction by instruction: the
 * half of livelock.h that knows machine code. x86-64 only; elsewhere nothing can be copied.
 */
#ifndef FR_PROCESS_THREAD_COPY_H
#define FR_PROCESS_THREAD_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define FR_COPY_WAITERS 256

/* What the threads of one stopped process have in common. */
struct fr_stopped {
	pid_t pid;		    /* or one of its threads */
	const char *pool;	    /* path of the pool's file */
	uint64_t pool_at, pool_end; /* where the program has mapped it */
	int64_t self;		    /* of the runtime's frt_self, from the thread pointer */
	uint64_t vdso, vdso_end;
	uint64_t call; /* address of a system call instruction */
	/* futexes at which threads sleep */
	uint64_t waiter[FR_COPY_WAITERS];
	size_t nwaiters;
	bool alone; /* only one thread can run: its loop may change memory */
};

/* How a stopped thread stands. */
enum fr_stands {
	FR_STANDS_ASLEEP, /* in a futex wait; *ret is its address */
	FR_STANDS_RUNS,	  /* outside the kernel, or in a sleep that only time ends */
	FR_STANDS_OTHER,  /* in another system call, or not known */
};
enum fr_stands fr_stopped_stands(pid_t tid, uint64_t *ret);

/* Does the thread, alone, return to a state that it had before, within this many instructions?
   The thread is stopped in the same way afterwards. */
bool fr_stopped_repeats(const struct fr_stopped *p, pid_t tid, uint32_t budget);

#endif
