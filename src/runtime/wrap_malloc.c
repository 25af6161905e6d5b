/*
 * The malloc family; C++ new and delete come through it. ALLOC is told after the memory is had,
 * FREE before it is given back, so that stamps order the lives at one address.
 * realloc is FREE of the old and ALLOC of the new, and a write of what was carried over, wherever
 * the block then lies; a realloc that fails ends with an ALLOC of the old block.
 * While t->in_wrapper is set, what libc allocates for itself is not told: whether it does depends
 * on other threads.
 */
#include "ctl.h"
#include "wrap.h"
#include <string.h>

static inline struct frt_thread *recorded(void)
{
	struct frt_thread *t = frt_self;

	return t && !t->in_wrapper ? t : NULL;
}

static inline void *allocated(void *p, size_t size, unsigned how)
{
	struct frt_thread *t = recorded();

	if (t && p)
		frt_sync_ext(t, FR_EV_ALLOC, how, p, size, 0);
	return p;
}

/* What the program gives back. A pointer that cannot be one of ours is left for libc to refuse. */
static size_t freeing(struct frt_thread *t, void *p, unsigned how)
{
	size_t size;

	if ((uintptr_t)p % (2 * sizeof(void *)))
		return 0;
	size = REAL(malloc_usable_size)(p);
	frt_shadow_forget(t, p, size);
	frt_sync_ext(t, FR_EV_FREE, how, p, size, 0);
	return size;
}

void *frt_wrap_malloc(size_t size)
{
	return allocated(REAL(malloc)(size), size, FR_MEM_MALLOC);
}

void *frt_wrap_calloc(size_t n, size_t size)
{
	return allocated(REAL(calloc)(n, size), n * size, FR_MEM_CALLOC);
}

void frt_wrap_free(void *p)
{
	struct frt_thread *t = recorded();

	if (!t || !p) {
		REAL(free)(p);
		return;
	}
	frt_ctl_hold(t);
	freeing(t, p, FR_MEM_MALLOC);
	REAL(free)(p);
	frt_ctl_settle(NULL);
}

void *frt_wrap_realloc(void *old, size_t size)
{
	struct frt_thread *t = recorded();
	size_t had;
	void *p;

	if (!t)
		return REAL(realloc)(old, size);
	if (!old)
		return allocated(REAL(realloc)(NULL, size), size, FR_MEM_REALLOC);
	frt_ctl_hold(t);
	had = freeing(t, old, FR_MEM_REALLOC);
	p = REAL(realloc)(old, size);
	t = frt_self;
	if (!t)
		return p;
	frt_ctl_settle(NULL);
	if (p) {
		allocated(p, size, FR_MEM_REALLOC);
		frt_range(t, true, p, had < size ? had : size, frt_call_site(t));
	} else if (size) {
		allocated(old, had, FR_MEM_REALLOC);
	}
	return p;
}

void *frt_wrap_memalign(size_t align, size_t size)
{
	return allocated(REAL(memalign)(align, size), size, FR_MEM_ALIGNED);
}

void *frt_wrap_aligned_alloc(size_t align, size_t size)
{
	return allocated(REAL(aligned_alloc)(align, size), size, FR_MEM_ALIGNED);
}

void *frt_wrap_valloc(size_t size)
{
	return allocated(REAL(valloc)(size), size, FR_MEM_ALIGNED);
}

void *frt_wrap_pvalloc(size_t size)
{
	return allocated(REAL(pvalloc)(size), size, FR_MEM_ALIGNED);
}

int frt_wrap_posix_memalign(void **ret, size_t align, size_t size)
{
	void *p;

	if (align % sizeof(void *) || (align & (align - 1)) || !align)
		return EINVAL;
	p = REAL(memalign)(align, size);
	if (!p)
		return ENOMEM;
	*ret = allocated(p, size, FR_MEM_ALIGNED);
	return 0;
}

/* Ours, so that it is never that of another allocator which the environment preloads. */
size_t frt_wrap_malloc_usable_size(void *p)
{
	return REAL(malloc_usable_size)(p);
}
