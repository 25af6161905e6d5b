/*
 * The recorded answers from outside of one thread, in the form of the control file.
 */
#ifndef FR_TRACE_INPUTS_H
#define FR_TRACE_INPUTS_H

#include "base/err.h"
#include "base/mem.h"
#include "format/control_file.h"
#include "trace/trace.h"

/*
 * Adds to `ret` a struct fr_control_file_input for each answer to the thread, in the order of its
 * calls, with the answer's bytes and zeros up to a multiple of 8:
 *
 *	TIME, CLOCK, CPU	result = nanoseconds; no bytes
 *	RANDOM			result = number of bytes, which follow; or -errno
 *	PID, PPID, TID		result = the id; no bytes
 *	READ			result = bytes read, 0 or -errno; 8 bytes: their hash, if any
 *	READY			result; 8 bytes: the ready ones, if known, or 1: the program itself
 *				sent the signal
 *	ACCEPT, WRITE		result; no bytes
 *	FILE			0 or -errno; 8 bytes: hash of its type and length, if examined
 *
 * The length of `ret` must be a multiple of 8, and stays one. On failure `ret` is unchanged. Traces
 * of version 2 have no inputs.
 */
int fr_inputs_collect(const struct fr_trace *t, const struct fr_trace_thread *th,
		      struct fr_buf *ret, struct fr_err *reterr);

#endif
