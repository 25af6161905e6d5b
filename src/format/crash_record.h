/*
 * The last moment of a program that a signal or a failed assertion ends. The runtime writes it
 * (runtime/core/crash.c): into the pool while a run is recorded, and into the control file while it
 * is re-executed.
 */
#ifndef FR_FORMAT_CRASH_RECORD_H
#define FR_FORMAT_CRASH_RECORD_H

#include <stdint.h>

#define FR_CRASH_FRAMES 64
#define FR_CRASH_TEXT 512

/* The call stack of a thread: sites of calls, outermost first (format/event.h, FRAMES). */
struct fr_crash_stack {
	uint32_t id; /* the thread's pool id; 0: none */
	uint32_t n;
	uint32_t call[FR_CRASH_FRAMES], func[FR_CRASH_FRAMES];
};
_Static_assert(sizeof(struct fr_crash_stack) == 8 + 8 * FR_CRASH_FRAMES,
	       "shared layout: bump FR_POOL_VERSION and FR_CONTROL_FILE_VERSION");

/* A fatal signal, before it ends the program, or a failed assertion. */
struct fr_crash {
	uint32_t signal, code; /* 0: none */
	uint32_t sent;	       /* another process sent the signal */
	uint32_t hook;	       /* low half of the hooks that the thread had executed */
	uint64_t addr, pc;
	struct fr_crash_stack stack;
	char assertion[FR_CRASH_TEXT]; /* "file:line: Assertion `text' failed", or empty */
};

#endif
