/* The memory that a libc call reads and writes for the program. For libc_*.c. */
#ifndef FRT_LIBC_ACCESS_H
#define FRT_LIBC_ACCESS_H

#include "runtime/core/rt.h"
#include "runtime/core/rt_stream.h"
#include <stddef.h>

#define READ(p, n) frt_libc_access(false, p, n)
#define WROTE(p, n) frt_libc_access(true, p, n)

/* The kernel moves at most this many bytes in one call. */
#define FRT_MOST 0x7ffff000

static inline void frt_libc_access(bool write, const void *p, size_t n)
{
	struct frt_thread *t = frt_self;

	if (t && p && n)
		frt_range(t, write, p, n < FRT_MOST ? n : FRT_MOST, frt_call_site(t));
}

/* The buffers of a call that gives (rt_stream.h). The last one is read in one step with the release
   and the call: no turn ends in between. Turns may end between the others, so that a schedule can
   stop the thread right before each of them. */
struct frt_reads {
	struct frt_give g;
	const void *p;
	size_t n;
};

static inline void frt_reads(struct frt_reads *r, const void *p, size_t n)
{
	if (!p || !n)
		return;
	READ(r->p, r->n);
	r->p = p;
	r->n = n;
}

/* All buffers are known. The wrapper of the call, or frt_give, comes next, then
   frt_give_end(&r->g). */
static inline void frt_reads_end(struct frt_reads *r)
{
	frt_give_begin(&r->g);
	if (r->g.t)
		READ(r->p, r->n);
}

#endif
