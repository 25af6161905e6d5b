/* The part of the -fsanitize=thread hooks that runs for every access. */
#ifndef FRT_TSAN_FAST_H
#define FRT_TSAN_FAST_H

#include "runtime/core/shadow.h"
#include "runtime/core/slow.h"
#include "tsan.h"
#include <stddef.h>

static inline void frt_announced_count(struct frt_thread *t)
{
	if (frt_unlikely(++t->hook >= t->limit))
		frt_slow_limit(t, NULL, 0, 0);
}

void frt_announced_wide(struct frt_thread *t, const void *addr, uint64_t access, bool write,
			const uint64_t sample[2]);

/* Records one counted access: like an inlined hook. */
static inline void frt_announced_put(struct frt_thread *t, const void *addr, uint64_t access,
				     bool write, const uint64_t sample[2])
{
	uint32_t site = FRT_ANNOUNCED_SITE(access), size = FRT_ANNOUNCED_SIZE(access);
	unsigned log2 = (unsigned)__builtin_ctz(size);

	if (frt_unlikely(size > 8 || (uintptr_t)addr & (size - 1))) {
		frt_announced_wide(t, addr, access, write, sample);
		return;
	}
	if (frt_likely(frt_shadow_drop(t, addr, t->hook, (uintptr_t)addr & 7, log2, site, write)))
		return;
	frt_slow_access(t, addr, sample[0],
			(uint64_t)site << 32 | log2 | (write ? FRT_SLOW_WRITE : 0) |
			    (access & FRT_ANNOUNCED_VOLATILE ? FR_ACC_VOLATILE : 0));
}

#endif
