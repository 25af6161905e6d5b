/*
 * What a thread of a recorded run got from outside, in the form of a control file.
 */
#ifndef FR_TRACE_INPUTS_H
#define FR_TRACE_INPUTS_H

#include "base/err.h"
#include "base/mem.h"
#include "format/control_file.h"
#include "trace/trace.h"

/*
 * Adds to `ret` a struct fr_control_input for each answer that the thread got, in the order of its
 * calls, with the bytes that belong to it and zeroes up to a multiple of 8:
 *
 *	TIME, CLOCK, CPU	result = nanoseconds; no bytes
 *	RANDOM			result = number of bytes, which follow; or -errno
 *	PID, PPID, TID		result = the id; no bytes
 *	READ			result = bytes read, 0 or -errno; 8 bytes: their hash, if any
 *	READY			result; 8 bytes: which were ready, if that is known, or 1: the
 *				signal that it got was sent by the program
 *	ACCEPT, WRITE		result; no bytes
 *	FILE			0 or -errno; 8 bytes: its kind and length hashed, if it was
 *				looked at
 *
 * The length of `ret` must be a multiple of 8, and is so again. On failure it is as it was. What a
 * version of forerun before inputs recorded has none.
 */
int fr_inputs_collect(const struct fr_trace *t, const struct fr_trace_thread *th,
		      struct fr_buf *ret, struct fr_err *reterr);

#endif
