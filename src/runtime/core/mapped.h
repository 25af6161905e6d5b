/*
 * The end of a range in mapped memory. A call with an enormous size (a negative length) faults
 * where the mapped memory ends, or returns early: it never touches the rest, and recording that
 * would take for ever. Only long ranges are checked, because the check is a system call.
 */
#ifndef FRT_MAPPED_H
#define FRT_MAPPED_H

#include <stdint.h>

#define FRT_HUGE_RANGE (UINT64_C(1) << 20) /* longer ranges are checked */

/* Returns how many of the n bytes from addr on are mapped without a gap. At least 1, because the
   first byte is accessed in any case. */
uint64_t frt_mapped(const void *addr, uint64_t n);

#endif
