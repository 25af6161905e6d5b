/* The slow paths of the inlined hooks. These calls clobber few registers. */
#ifndef FRT_SLOW_H
#define FRT_SLOW_H

#include "rt.h"

/* An inlined hook stands in the middle of the program's code, so the
   callee saves the registers that it uses. gcc has no such convention,
   but clang always builds the runtime; gcc only checks the sources. */
#ifdef __clang__
#define FRT_PRESERVE __attribute__((preserve_most, noinline))
#else
#define FRT_PRESERVE __attribute__((noinline))
#endif

/* The access has been counted. `access`: log2(size) | FR_ACC_*, FRT_SLOW_WRITE. */
#define FRT_SLOW_WRITE 0x100
FRT_PRESERVE void frt_slow_access(struct frt_thread *t, const void *addr, uint64_t value,
				  uint64_t site_access);
/* The hook has reached the thread's limit at this access. True: the access is recorded. */
FRT_PRESERVE bool frt_slow_limit(struct frt_thread *t, const void *addr, uint64_t value,
				 uint64_t site_access);

/* Writes a branch: see rt_branch.h. */
FRT_PRESERVE void frt_slow_branch(uint32_t site, uint64_t value, uint32_t aux);

#endif
