/*
 * Sanitizers beside us: the program is linked with that of addresses, leaks or undefined behaviour.
 *
 * Allocation: theirs is the allocator, of operator new and delete too, which do not come through
 *            malloc. It calls hooks: after an allocation, before a release. A release that is an
 *            error is not told; the sanitizer reports it.
 * Death:     a report that ends the program does so by a system call; we hear of it before.
 * Not handled: reallocarray tells ALLOC and FREE, but not that it wrote what it carried over. A
 *            program that sets a death callback of its own takes ours away: the end of its
 * recording is then that of a program that is killed. A sanitizer that must see every write
 * (memory) cannot live with a runtime that it knows nothing of, and one that keeps tags in pointers
 * (hwaddress) makes addresses of them that we do not know.
 */
#include "sanitizer.h"
#include "rt.h"

bool frt_sanitizer_tells;

#define WEAK __attribute__((weak))
extern void __msan_init(void) WEAK;
extern void __hwasan_init(void) WEAK;
extern void *___interceptor_malloc(size_t size) WEAK;
extern int __sanitizer_get_ownership(const volatile void *p) WEAK;
extern size_t __sanitizer_get_allocated_size(const volatile void *p) WEAK;
extern int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t),
						     void (*)(const volatile void *)) WEAK;
extern void __sanitizer_set_death_callback(void (*callback)(void)) WEAK;

/* What calloc has asked for: the next allocation of that size. 0: nothing. */
static _Thread_local size_t zeroed __attribute__((tls_model("initial-exec")));

const char *frt_sanitizer_alien(void)
{
	return __msan_init ? "memory" : __hwasan_init ? "hwaddress" : NULL;
}

bool frt_sanitizer_owns(const void *p)
{
	return __sanitizer_get_ownership(p);
}

size_t frt_sanitizer_size(const void *p)
{
	return __sanitizer_get_allocated_size(p);
}

void frt_sanitizer_zeroed(size_t n, size_t size)
{
	if (__builtin_mul_overflow(n, size, &zeroed))
		zeroed = 0;
}

static void allocated(const volatile void *p, size_t size)
{
	struct frt_thread *t = frt_self;
	unsigned how = size && size == zeroed ? FR_MEM_CALLOC : FR_MEM_MALLOC;

	zeroed = 0;
	if (t && p && !t->in_wrapper)
		frt_sync_ext(t, FR_EV_ALLOC, how, (const void *)p, size, 0);
}

static void freeing(const volatile void *q)
{
	struct frt_thread *t = frt_self;
	const void *p = (const void *)q;
	size_t size;

	if (!t || !p || t->in_wrapper || !frt_sanitizer_owns(p))
		return;
	size = frt_sanitizer_size(p);
	frt_shadow_forget(t, p, size);
	frt_sync_ext(t, FR_EV_FREE, FR_MEM_MALLOC, p, size, 0);
}

static void dying(void)
{
	frt_finish(1);
}

void frt_sanitizer_init(void)
{
	if (___interceptor_malloc && __sanitizer_get_ownership && __sanitizer_get_allocated_size &&
	    __sanitizer_install_malloc_and_free_hooks)
		frt_sanitizer_tells =
		    __sanitizer_install_malloc_and_free_hooks(allocated, freeing) != 0;
	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(dying);
}
