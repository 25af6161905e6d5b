/*
 * The malloc family; C++ new and delete use it. ALLOC is emitted after the allocation, FREE before
 * the release, so that stamps order the lives at one address.
 *
 * realloc is a FREE of the old block, an ALLOC of the new one, and a write of the copied data,
 * wherever the block then lies. A realloc that fails ends with an ALLOC of the old block.
 *
 * While t->in_wrapper is set, libc's own allocations are not recorded: whether libc allocates
 * depends on other threads.
 *
 * With a sanitizer's allocator, sanitizer.c records allocations (operator new and delete are then
 * the sanitizer's own). The functions here pass the call through, without a frame in its reports
 * where possible. They record only facts that the sanitizer cannot know: that calloc's memory is
 * zero, and the data that realloc copies.
 */
#include "runtime/control/ctl.h"
#include "runtime/control/ctl_freed.h"
#include "runtime/core/sanitizer.h"
#include "wrap.h"
#include <string.h>

/* The thread whose allocations are recorded here; NULL: not recorded here. */
static inline struct frt_thread *recorded(void)
{
	struct frt_thread *t = frt_self;

	return t && !t->in_wrapper && !frt_sanitizer_tells ? t : NULL;
}

static inline void allocated(struct frt_thread *t, void *p, size_t size, unsigned how)
{
	if (!t || !p)
		return;
	if (frt_controlled())
		frt_ctl_allocated(t, p);
	frt_sync_ext(t, FR_EV_ALLOC, how, p, size, 0);
}

/* Records a release. A pointer that malloc cannot have returned is left for libc to reject. */
static size_t freeing(struct frt_thread *t, void *p, unsigned how)
{
	size_t size;

	if ((uintptr_t)p % (2 * sizeof(void *)) || (frt_sanitizer_tells && !frt_sanitizer_owns(p)))
		return 0;
	size = frt_sanitizer_tells ? frt_sanitizer_size(p) : REAL(malloc_usable_size)(p);
	frt_shadow_forget(t, p, size);
	frt_ctl_frees(t, size);
	frt_sync_ext(t, FR_EV_FREE, how, p, size, 0);
	return size;
}

#define ALLOCATE(name, params, args, size, how)               \
	void *frt_wrap_##name params                          \
	{                                                     \
		void *p;                                      \
                                                              \
		if (!recorded())                              \
			return REAL(name) args;               \
		p = REAL(name) args;                          \
		allocated(recorded(), p, size, FR_MEM_##how); \
		return p;                                     \
	}

ALLOCATE(malloc, (size_t size), (size), size, MALLOC)
ALLOCATE(memalign, (size_t align, size_t size), (align, size), size, ALIGNED)
ALLOCATE(aligned_alloc, (size_t align, size_t size), (align, size), size, ALIGNED)
ALLOCATE(valloc, (size_t size), (size), size, ALIGNED)
ALLOCATE(pvalloc, (size_t size), (size), size, ALIGNED)

void *frt_wrap_calloc(size_t n, size_t size)
{
	void *p;

	if (!recorded()) {
		if (frt_sanitizer_tells)
			frt_sanitizer_zeroed(n, size);
		return REAL(calloc)(n, size);
	}
	p = REAL(calloc)(n, size);
	allocated(recorded(), p, n * size, FR_MEM_CALLOC);
	return p;
}

void frt_wrap_free(void *p)
{
	struct frt_thread *t = frt_self;
	size_t size = 0;

	if (!t || !p || t->in_wrapper || (frt_sanitizer_tells && !frt_controlled())) {
		REAL(free)(p);
		return;
	}
	frt_ctl_hold(t);
	if (!frt_sanitizer_tells)
		size = freeing(t, p, FR_MEM_MALLOC);
	if (frt_ctl_kept(p)) {
		frt_ctl_give_back(p);
		REAL(free)(p);
	} else if (size && frt_ctl_keeps(t)) {
		frt_ctl_keep(p, size);
	} else {
		REAL(free)(p);
	}
	frt_ctl_settle(NULL);
}

/* Moves a block whose old memory stays out of use. */
static void *move_kept(void *old, size_t had, size_t size)
{
	void *p = size ? REAL(malloc)(size) : NULL;

	frt_assert(old && had);
	if (p)
		memcpy(p, old, had < size ? had : size);
	if (p || !size)
		frt_ctl_keep(old, had);
	return p;
}

void *frt_wrap_realloc(void *old, size_t size)
{
	struct frt_thread *t = frt_self;
	size_t had = 0;
	void *p;

	if (!t || t->in_wrapper)
		return REAL(realloc)(old, size);
	frt_ctl_hold(t);
	if (old)
		had = freeing(t, old, FR_MEM_REALLOC);
	t->in_wrapper++; /* recorded here, whichever allocator is used */
	p = had && !frt_sanitizer_tells && frt_ctl_keeps(t) ? move_kept(old, had, size)
							    : REAL(realloc)(old, size);
	t = frt_self;
	if (!t)
		return p;
	frt_assert(t->in_wrapper);
	t->in_wrapper--;
	frt_ctl_settle(NULL);
	if (p) {
		allocated(t, p, size, FR_MEM_REALLOC);
		if (old)
			frt_range(t, true, p, had < size ? had : size, frt_call_site(t));
	} else if (old && size) {
		allocated(t, old, had, FR_MEM_REALLOC);
	}
	return p;
}

int frt_wrap_posix_memalign(void **ret, size_t align, size_t size)
{
	void *p;

	if (frt_sanitizer_tells)
		return REAL(posix_memalign)(ret, align, size);
	if (align % sizeof(void *) || (align & (align - 1)) || !align)
		return EINVAL;
	p = REAL(memalign)(align, size);
	if (!p)
		return ENOMEM;
	allocated(recorded(), p, size, FR_MEM_ALIGNED);
	*ret = p;
	return 0;
}

/* The runtime's, so that it is never that of another, preloaded allocator. */
size_t frt_wrap_malloc_usable_size(void *p)
{
	return REAL(malloc_usable_size)(p);
}
