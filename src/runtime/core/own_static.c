/*
 * Functions that need libc's own state, in static programs: libc.a has each function under a
 * private name too, in the same object file (own.h; glibc 2.34 and later).
 */
#define FRT_OWN_EXEMPT
#include "own.h"
#include <malloc.h>

#if defined(__x86_64__)
#define JUMP "jmp "
#else
#define JUMP "b "
#endif

#define FRT_X(n, private)                                                                   \
	__asm__(".text\n.globl frt_own_" #n "\n.type frt_own_" #n ",@function\nfrt_own_" #n \
		":\n\t" JUMP #private "\n.size frt_own_" #n ", .-frt_own_" #n "\n");
FRT_OWN_LIBC(FRT_X)
#undef FRT_X

/* mallopt is in one object file with malloc. A program with its own malloc must not get that file
   because of this reference. */
extern __typeof__(mallopt) __libc_mallopt __attribute__((weak));
__typeof__(mallopt) frt_own_mallopt;

int frt_own_mallopt(int what, int value)
{
	return __libc_mallopt ? __libc_mallopt(what, value) : 0;
}
