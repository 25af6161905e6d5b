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

#define FRT_W(n)                                                                               \
	__asm__(".text\n.globl __wrap_" #n "\n.type __wrap_" #n ",@function\n__wrap_" #n ":\n" \
		".cfi_startproc\n" FRT_STUB_JUMP("frt_wrap_" #n) ".cfi_endproc\n"              \
								 ".size __wrap_" #n            \
								 ", .-__wrap_" #n "\n");
#define FRT_WV(n, v) FRT_W(n)
#define FRT_WA(n, i) FRT_W(n)
#define FRT_WD(n)
#define FRT_WN(n) FRT_W(n)
#include "wrapped.def"
#undef FRT_W
#undef FRT_WN

#define FRT_W(n) extern __typeof__(n) __real_##n;
#define FRT_WN(n)
#include "wrapped.def"
#undef FRT_W

struct frt_real frt_real = {
#define FRT_W(n) .n = __real_##n,
#include "wrapped.def"
};

/* Only for what is not wrapped here. */
static long missing(void)
{
	return -1;
}

void *frt_real_find(unsigned i)
{
	(void)i;
	return (void *)missing;
}
