/*
 * Sanitizers beside the runtime: the program is linked with that of addresses, leaks or undefined
 * behaviour.
 *
 * Allocation:  the allocator is the sanitizer's, including operator new and delete, which do not
 *              call malloc. It calls `allocated` after an allocation and `freeing` before a
 *              release. An erroneous release is not recorded; the sanitizer reports it.
 * Death:       a report that ends the program does so by a system call; the sanitizer calls `dying`
 *              before.
 * Calls:       the sanitizer's runtime calls a few libc functions by name, which come to the
 *              wrappers. The runtime recognises a static one by the functions that make these
 *              calls, a shared one by its module.
 * Not handled: reallocarray emits ALLOC and FREE, but not the write of the data that it copied. A
 *              program that sets its own death callback replaces `dying`: its recording then ends
 *              like that of a killed program. MemorySanitizer must see every write, so it cannot
 *              work beside this runtime. One that keeps tags in pointers (hwaddress) makes
 *              addresses that this runtime does not know.
 */
#include "sanitizer.h"
#include "runtime/control/ctl.h"
#include "runtime/control/ctl_freed.h"
#include "module_span.h"
#include "rt.h"
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

bool frt_sanitizer_tells, frt_sanitizer_there;

#define WEAK __attribute__((weak))
extern void __msan_init(void) WEAK;
extern void __hwasan_init(void) WEAK;
extern void *___interceptor_malloc(size_t size) WEAK;
extern int __sanitizer_get_ownership(const volatile void *p) WEAK;
extern size_t __sanitizer_get_allocated_size(const volatile void *p) WEAK;
extern int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t),
						     void (*)(const volatile void *)) WEAK;
extern void __sanitizer_set_death_callback(void (*callback)(void)) WEAK;
extern int __asan_report_present(void) WEAK;
extern void *__asan_get_report_address(void) WEAK;
extern const char *__asan_get_report_description(void) WEAK;

/* Size that calloc requested: marks the next allocation of that size. 0: none. */
static _Thread_local size_t zeroed __attribute__((tls_model("initial-exec")));

const char *frt_sanitizer_alien(void)
{
	return __msan_init ? "memory" : __hwasan_init ? "hwaddress" : NULL;
}

bool frt_sanitizer_reports(void)
{
	return __asan_report_present && __asan_report_present();
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
	if (!t || !p || t->in_wrapper)
		return;
	if (frt_controlled())
		frt_ctl_allocated(t, (const void *)p);
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
	frt_ctl_frees(t, size);
	frt_sync_ext(t, FR_EV_FREE, FR_MEM_MALLOC, p, size, 0);
}

/* ---- calls by the sanitizer's runtime ---- */

#define IN_STATIC __attribute__((weak, visibility("hidden")))
extern const char now[] __asm__("_ZN11__sanitizer17MonotonicNanoTimeEv") IN_STATIC;
extern const char cpus[] __asm__("_ZN11__sanitizer15GetNumberOfCPUsEv") IN_STATIC;
extern const char stop[] __asm__(
    "_ZN11__sanitizer12StopTheWorldEPFvRKNS_20SuspendedThreadsListEPvES3_") IN_STATIC;

/* Code that makes such calls: the functions, with some room for other
   versions of them, or the library. */
static struct {
	uintptr_t lo, hi;
} callers[3];

bool frt_sanitizer_called(const void *return_address)
{
	uintptr_t at = (uintptr_t)return_address;

	for (unsigned i = 0; i < sizeof(callers) / sizeof(*callers); i++)
		if (at >= callers[i].lo && at < callers[i].hi)
			return true;
	return false;
}

static int find_library(struct dl_phdr_info *info, size_t size, void *arg)
{
	uintptr_t in = (uintptr_t)__sanitizer_set_death_callback;
	struct frt_span m = frt_module_span(info);
	unsigned *number = arg;

	(void)size;
	if (in < m.lo || in >= m.hi) {
		++*number;
		return 0;
	}
	if (*number) { /* the first module is the program */
		callers[0].lo = m.lo;
		callers[0].hi = m.hi;
	}
	return 1;
}

static void find_callers(void)
{
	const struct {
		const char *at;
		size_t size;
	} functions[] = {{now, 0x100}, {cpus, 0x100}, {stop, 0x800}};
	unsigned number = 0;

	_Static_assert(sizeof(functions) / sizeof(*functions) == sizeof(callers) / sizeof(*callers),
		       "one entry for each function");
	for (unsigned i = 0; i < 3; i++)
		if (functions[i].at) {
			callers[i].lo = (uintptr_t)functions[i].at;
			callers[i].hi = callers[i].lo + functions[i].size;
		}
	if (!now)
		dl_iterate_phdr(find_library, &number);
}

void frt_sanitizer_tell(void)
{
	if (!frt_self || !frt_controlled() || !frt_sanitizer_reports())
		return;
	if (__asan_get_report_address)
		frt_ctl_faulted(frt_self, (uintptr_t)__asan_get_report_address());
	if (__asan_get_report_description &&
	    !strcmp(__asan_get_report_description(), "double-free"))
		atomic_store(&frt_ctl->freed_twice, 1);
}

static void dying(void)
{
	frt_sanitizer_tell();
	frt_finish(1);
}

void frt_sanitizer_init(void)
{
	if (___interceptor_malloc && __sanitizer_get_ownership && __sanitizer_get_allocated_size &&
	    __sanitizer_install_malloc_and_free_hooks)
		frt_sanitizer_tells =
		    __sanitizer_install_malloc_and_free_hooks(allocated, freeing) != 0;
	if (__sanitizer_set_death_callback) {
		__sanitizer_set_death_callback(dying);
		find_callers();
		frt_sanitizer_there = true;
	}
}
