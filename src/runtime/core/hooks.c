/*
 * The hooks that are inlined into the program: compiled to bitcode (hooks.bc), linked into each
 * module by the pass (src/pass/link.c). This code runs for every access. It counts the hook, and
 * drops the access if it is to the thread's own memory at a hot site (shadow.h). All other cases
 * are behind one call.
 */
#include "format/hook_abi.h"
#include "rt_branch.h"
#include "rt.h"
#include "shadow.h"
#include "slow.h"

#define FRT_HOOK __attribute__((always_inline, visibility("hidden")))

static inline __attribute__((always_inline)) void
access_hook(const void *addr, uint64_t value, uint32_t site, unsigned log2, unsigned write)
{
	struct frt_thread *t = frt_self;
	uint64_t hook;

	if (frt_unlikely(!t))
		return;
	hook = t->hook + 1;
	t->hook = hook;
	if (frt_unlikely(hook >= t->limit) &&
	    frt_slow_limit(t, addr, value,
			   (uint64_t)site << 32 | log2 | (write ? FRT_SLOW_WRITE : 0)))
		return;
	if (frt_likely(frt_shadow_drop(t, addr, hook, (uintptr_t)addr & 7 & -(1u << log2), log2,
				       site, write)))
		return;
	frt_slow_access(t, addr, value, (uint64_t)site << 32 | log2 | (write ? FRT_SLOW_WRITE : 0));
}

#define DEFINE(log2, size)                                                               \
	FRT_HOOK void frt_h_read##size(const void *addr, uint64_t value, uint32_t site)  \
	{                                                                                \
		access_hook(addr, value, site, log2, 0);                                 \
	}                                                                                \
	FRT_HOOK void frt_h_write##size(const void *addr, uint64_t value, uint32_t site) \
	{                                                                                \
		access_hook(addr, value, site, log2, 1);                                 \
	}
DEFINE(0, 1)
DEFINE(1, 2)
DEFINE(2, 4)
DEFINE(3, 8)

FRT_HOOK uint32_t frt_h_enter(uint32_t function_site)
{
	struct frt_thread *t = frt_self;
	uint32_t d;

	if (frt_unlikely(!t))
		return 0;
	d = t->depth;
	frt_frame_at(t, d)->func = function_site;
	t->depth = d + 1;
	return d;
}

FRT_HOOK void frt_h_leave(uint32_t d)
{
	struct frt_thread *t = frt_self;

	if (frt_unlikely(!t))
		return;
	t->depth = d;
	if (d < t->synced)
		t->synced = d;
}

FRT_HOOK void frt_h_restore(uint32_t d)
{
	struct frt_thread *t = frt_self;

	if (frt_unlikely(!t))
		return;
	t->depth = d + 1;
	if (d + 1 < t->synced)
		t->synced = d + 1;
}

FRT_HOOK void frt_h_call(uint32_t call_site, uint32_t d)
{
	struct frt_thread *t = frt_self;

	if (frt_likely(t))
		frt_frame_at(t, d)->call = call_site;
}

FRT_HOOK void frt_h_branch(uint32_t site, uint64_t value, uint32_t aux)
{
	if (frt_unlikely(frt_branch_next))
		frt_slow_branch(site, value, aux);
}
