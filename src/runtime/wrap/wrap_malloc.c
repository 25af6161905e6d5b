/*
 * The malloc family; C++ new and delete come through it. ALLOC is told after the memory is had,
 * FREE before it is given back, so that stamps order the lives at one address.
 * realloc is FREE of the old and ALLOC of the new, and a write of what was carried over, wherever
 * the block then lies; a realloc that fails ends with an ALLOC of the old block.
 * While t->in_wrapper is set, what libc allocates for itself is not told: whether it does depends
 * on other threads.
 * With a sanitizer's allocator, sanitizer.c tells (operator new and delete are the sanitizer's own
 * there), and these are passed through, without a frame in its reports where that can be. Only what
 * it cannot know is told from here: that calloc's memory is zero, and what realloc carries over.
 */
#include "runtime/control/ctl.h"
#include "runtime/core/sanitizer.h"
#include "wrap.h"
#include <string.h>

/* The thread that tells of allocations from here, NULL: nobody does. */
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

/* What the program gives back. A pointer that cannot be one of ours is left for libc to refuse. */
static size_t freeing(struct frt_thread *t, void *p, unsigned how)
{
	size_t size;

	if ((uintptr_t)p % (2 * sizeof(void *)) || (frt_sanitizer_tells && !frt_sanitizer_owns(p)))
		return 0;
	size = frt_sanitizer_tells ? frt_sanitizer_size(p) : REAL(malloc_usable_size)(p);
	frt_shadow_forget(t, p, size);
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

	if (!t || !p || t->in_wrapper || (frt_sanitizer_tells && !frt_controlled())) {
		REAL(free)(p);
		return;
	}
	frt_ctl_hold(t);
	if (!frt_sanitizer_tells)
		freeing(t, p, FR_MEM_MALLOC);
	REAL(free)(p);
	frt_ctl_settle(NULL);
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
	t->in_wrapper++; /* told from here, whoever's allocator it is */
	p = REAL(realloc)(old, size);
	t = frt_self;
	if (!t)
		return p;
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

/* Ours, so that it is never that of another allocator which the environment preloads. */
size_t frt_wrap_malloc_usable_size(void *p)
{
	return REAL(malloc_usable_size)(p);
}
