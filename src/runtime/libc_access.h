/* The memory that a libc call reads and writes for the program: for libc_*.c. */
#ifndef FRT_LIBC_ACCESS_H
#define FRT_LIBC_ACCESS_H

#include "rt.h"
#include <stddef.h>

#define READ(p, n) frt_libc_access(false, p, n)
#define WROTE(p, n) frt_libc_access(true, p, n)

/* The kernel moves no more than that at a time. */
#define FRT_MOST 0x7ffff000

static inline void frt_libc_access(bool write, const void *p, size_t n)
{
	struct frt_thread *t = frt_self;

	if (t && p && n)
		frt_range(t, write, p, n < FRT_MOST ? n : FRT_MOST, frt_call_site(t));
}

#endif
