/*
 * Interception in static programs: the linker is given --wrap=NAME for each name of wrap.list, so
 * that every undefined reference to NAME, in the program as in libc.a, comes to __wrap_NAME, and
 * __real_NAME is the original.
 *
 * Not handled: a program that defines one of these functions itself and calls it from another
 * object file is taken at its name. dlopen is left alone: referring to it makes the linker warn.
 */
#include "real.h"
#include "rt.h"
#include "tsan_stub.h"
#include <errno.h>

#define FRT_W(n)                                                                               \
	__asm__(".text\n.globl __wrap_" #n "\n.type __wrap_" #n ",@function\n__wrap_" #n ":\n" \
		".cfi_startproc\n" FRT_STUB_JUMP("frt_wrap_" #n) ".cfi_endproc\n"              \
								 ".size __wrap_" #n            \
								 ", .-__wrap_" #n "\n");
#define FRT_WV(n, v) FRT_W(n)
#define FRT_WA(n, i) FRT_W(n)
#define FRT_WD(n)
#define FRT_WP(n)
#define FRT_WN(n) FRT_W(n)
#include "wrapped.def"
#undef FRT_W
#undef FRT_WN

#define FRT_W(n) extern __typeof__(n) __real_##n;
#define FRT_WN(n)
#include "wrapped.def"
#undef FRT_W

/*
 * libc has them in one object file with malloc. A program that brings its own malloc must not get
 * that file because of them.
 */
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
#include "wrapped.def"
};

/* For what is not there, and what is not wrapped here: no memory, no size. */
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
