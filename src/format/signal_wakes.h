/*
 * Which handlers of signals can end a wait: rules that the recorder and the controller share.
 * A handler can post a semaphore, signal a condition or write to a pipe. It can unlock only mutexes
 * that the interrupted thread locked. So it ends no wait in a cycle of mutexes and joins, unless it
 * ends the program or jumps out of the wait.
 */
#ifndef FR_FORMAT_SIGNAL_WAKES_H
#define FR_FORMAT_SIGNAL_WAKES_H

#include <signal.h>
#include <stdint.h>

/* May another process send one of these signals, so that its handler wakes a thread? Bit n - 1 of
   `caught` stands for signal n, as in /proc/PID/status. Faults, SIGPIPE and the signals of libc (32
   and 33) come from the program's own steps. */
static inline int fr_signal_wakes(uint64_t caught)
{
	static const int own[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL, SIGABRT,
				  SIGTRAP, SIGPIPE, SIGSYS, 32,	    33};

	for (unsigned i = 0; i < sizeof(own) / sizeof(*own); i++)
		caught &= ~(UINT64_C(1) << (own[i] - 1));
	return caught != 0;
}

/* May such a signal come although no process sends it? Then the handler may be a watchdog, which
   ends a deadlock. */
static inline int fr_signal_alarms(uint64_t caught)
{
	return (caught >> (SIGALRM - 1) & 1) != 0;
}

#endif
