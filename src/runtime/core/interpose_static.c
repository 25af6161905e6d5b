/*
 * Interception in static programs: the linker gets --wrap=NAME for each name of wrap.list. Every
 * undefined reference to NAME, in the program and in libc.a, then goes to __wrap_NAME, and
 * __real_NAME is the original.
 *
 * A program that defines one of these functions itself keeps its own, except for the allocator.
 *
 * Not handled: dlopen, because a reference to it makes the linker warn.
 */
#include "real.h"
#include "rt.h"
#include "runtime/tsan/tsan_stub.h"
#include <errno.h>

#define STUB(n, first)                                                                         \
	__asm__(".text\n.globl __wrap_" #n "\n.type __wrap_" #n ",@function\n__wrap_" #n ":\n" \
		".cfi_startproc\n" first FRT_STUB_JUMP("frt_wrap_" #n) ".cfi_endproc\n"        \
								       ".size __wrap_" #n      \
								       ", .-__wrap_" #n "\n");
/* Jumps to the program's own function of that name, if it has one (src/pass/own_libc_name.c). */
#if defined(__x86_64__)
#define TO_PROGRAM(n)                                                               \
	".weak frt_defines_" #n "\n\tmov frt_defines_" #n "@GOTPCREL(%rip), %r11\n" \
	"\ttest %r11, %r11\n\tjne __real_" #n "\n"
#else
#define TO_PROGRAM(n)                                                     \
	".weak frt_defines_" #n "\n\tadrp x16, :got:frt_defines_" #n "\n" \
	"\tldr x16, [x16, :got_lo12:frt_defines_" #n "]\n\tcbz x16, 2f\n\tb __real_" #n "\n2:\n"
#endif
#define FRT_W(n) STUB(n, TO_PROGRAM(n))
#define FRT_WV(n, v) FRT_W(n)
#define FRT_WA(n, i) STUB(n, "")
#define FRT_WD(n)
#define FRT_WP(n)
#define FRT_WN(n) STUB(n, "")
#include "format/wrapped.def"
#undef FRT_W
#undef FRT_WA
#undef FRT_WN

#define FRT_WA(n, i) FRT_W(n)
#define FRT_W(n) extern __typeof__(n) __real_##n;
#define FRT_WN(n)
#include "format/wrapped.def"
#undef FRT_W

/* libc has them in one object file with malloc. A program that has its own malloc must not get that
   file because of these references. */
#pragma weak __real_memalign
#pragma weak __real_aligned_alloc
#pragma weak __real_valloc
#pragma weak __real_pvalloc
#pragma weak __real_posix_memalign
#pragma weak __real_malloc_usable_size

#undef FRT_WP

struct frt_real frt_real = {
#define FRT_W(n) .n = __real_##n,
#define FRT_WP(n) .n = n,
#include "format/wrapped.def"
};

/* Stands in for functions that are missing or not wrapped here: no memory, no size. */
static long missing(void)
{
	errno = ENOSYS;
	return 0;
}

void *frt_real_find(unsigned i)
{
	(void)i;
	return (void *)missing;
}

/* A wrapper that a system call of the program reached (wrap_syscall.c) must not call the program's
   function of that name, because that function made the call. */
extern const char frt_defines_read[] __attribute__((weak));
extern const char frt_defines_openat[] __attribute__((weak));
extern const char frt_defines_kill[] __attribute__((weak));
__typeof__(read) frt_own_read;
__typeof__(openat) frt_own_openat;
__typeof__(kill) frt_own_kill;

static void init(void)
{
	if (frt_defines_read)
		frt_real.read = frt_own_read;
	if (frt_defines_openat)
		frt_real.openat = frt_own_openat;
	if (frt_defines_kill)
		frt_real.kill = frt_own_kill;
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(void) = init;
