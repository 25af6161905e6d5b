/*
 * Notices that a recorded program polls for ever: every thread that can run repeats a loop in which
 * nothing changes, and every other thread sleeps until one of them wakes it.
 *
 * How:       when the program looks like that from outside (hang_watch.h), the recorder stops all
 *            of its threads (ptrace). Each thread that can run makes a copy of the process, a child
 *            that shares no memory with it and in which it is alone. The recorder executes the copy
 *            instruction by instruction, with recording off. The thread polls for ever if all
 *            registers and the whole memory of the copy come back to a state that they had before.
 *            The program itself executes nothing meanwhile, and continues if it does not poll.
 * Why it is
 * a proof:   a thread without input is a function of its registers and its memory. The copy may not
 *            ask anybody: it executes no vDSO code and no instruction that reads a clock, a random
 *            number or the number of the processor, and no system call except sched_yield,
 *            sleeps, and wake-ups of futexes at which nobody waits. The program has no handler of a
 *            signal that could come from outside, no child, no memory that another process may
 *            share, and no thread that forerun does not know. If several threads poll, no loop
 *            changes memory other than its own stack frames, so none can disturb another.
 * Not
 * decided:   loops that count their rounds, which may end; several threads that poll under a lock;
 *            programs with a seccomp filter, whose system calls forerun must not add to; machines
 *            other than x86-64, and programs that forerun may not trace.
 */
#ifndef FR_PROCESS_LIVELOCK_H
#define FR_PROCESS_LIVELOCK_H

#include "format/pool.h"
#include <stdbool.h>

struct fr_livelock {
	uint64_t first;	 /* nanoseconds before the first try; 0 = never try */
	uint64_t since;	 /* when the program began to look like that, 0 = it does not */
	uint64_t next;	 /* do not try before */
	uint64_t pause;	 /* before the next try, at least */
	uint32_t budget; /* instructions of the next try */
};

/* Returns whether the program of the pool polls for ever. `path`: the pool's file, absolute. Takes
   at most a twentieth of the program's time. Must run in the thread that started the program. */
bool fr_livelock_check(struct fr_livelock *l, struct fr_pool *pool, const char *path, uint64_t now);

#endif
