/*
 * Interception in dynamic programs: the executable defines the wrapped names, and the loader
 * prefers it to libc for the program, its libraries and modules loaded later (the names are
 * exported by dynamic.list).
 *
 * The names are weak: a program that defines one of them itself keeps its own.
 *
 * Sanitizers (address, leak, undefined) intercept too. By their protocol (compiler-rt's
 * interception.h) NAME goes to __interceptor_NAME, which another runtime may define, and which
 * passes on to ___interceptor_NAME, theirs. So a call comes to us whichever of the two weak NAMEs
 * the linker took, then to the sanitizer, then to libc. The allocator stays theirs, but for what
 * sanitizer.c cannot know otherwise.
 *
 * Not handled: calls inside libc, which do not pass through the loader, and other allocators loaded
 * as libraries: their malloc is shadowed as a whole, their private entry points are not.
 */
#include "real.h"
#include "rt.h"
#include "tsan_stub.h"
#include <errno.h>
#include <string.h>

/* NAME: go to frt_wrap_NAME. */
#define STUB(bind, name, n)                                                                  \
	__asm__(".text\n." bind " " name "\n.type " name ",@function\n" name ":\n"           \
		".cfi_startproc\n" FRT_STUB_JUMP("frt_wrap_" #n) ".cfi_endproc\n.size " name \
								 ", .-" name "\n");
#define FRT_W(n) STUB("weak", #n, n) STUB("globl", "__interceptor_" #n, n)
#define FRT_WV(n, v) FRT_W(n)
#define FRT_WA(n, i) STUB("weak", #n, n)
#define FRT_WD(n) FRT_W(n)
#define FRT_WN(n) FRT_W(n)
#include "wrapped.def"
#undef FRT_W
#undef FRT_WV
#undef FRT_WA
#undef FRT_WD
#undef FRT_WN

STUB("globl", "__interceptor_calloc", calloc)
STUB("globl", "__interceptor_realloc", realloc)
STUB("globl", "__interceptor_free", free)

extern __typeof__(malloc) __libc_malloc;
extern __typeof__(calloc) __libc_calloc;
extern __typeof__(realloc) __libc_realloc;
extern __typeof__(free) __libc_free;
extern __typeof__(memalign) __libc_memalign;
extern __typeof__(valloc) __libc_valloc;
extern __typeof__(pvalloc) __libc_pvalloc;

/*
 * A sanitizer's. Those of the allocator may be in its shared library (-shared-libasan), where dlsym
 * finds the others; without one they are not worth a symbol for the loader to look for.
 */
#define FRT_W(n) \
	extern __typeof__(n) ___interceptor_##n __attribute__((weak, visibility("hidden")));
#define FRT_WV(n, v) FRT_W(n)
#define FRT_WA(n, i) extern __typeof__(n) ___interceptor_##n __attribute__((weak));
#define FRT_WD(n) FRT_W(n)
#define FRT_WN(n)
#include "wrapped.def"
#undef FRT_W
#undef FRT_WA

struct frt_real frt_real;

static const struct {
	const char *name, *version;
	void *sanitizer, *internal;
} names[] = {
#define FRT_W(n) {#n, NULL, ___interceptor_##n, NULL},
#undef FRT_WV
#define FRT_WV(n, v) {#n, v, ___interceptor_##n, NULL},
#define FRT_WA(n, i)                                                                \
	{#n, "GLIBC_2.2.5", ___interceptor_##n, i}, /* not of one that is preloaded \
						     */
#include "wrapped.def"
};
_Static_assert(sizeof(names) / sizeof(*names) == FRT_REALS, "one name for each real function");

static long missing(void)
{
	errno = ENOSYS;
	return -1;
}

void *frt_real_find(unsigned i)
{
	void **slot = (void **)&frt_real + i;
	struct frt_thread *t = frt_self;
	int saved = errno;
	void *p = names[i].sanitizer ? names[i].sanitizer : names[i].internal;

	if (p) {
		__atomic_store_n(slot, p, __ATOMIC_RELAXED);
		return p;
	}
	if (t)
		t->in_wrapper++; /* dlsym allocates */
#if defined(__x86_64__)
	if (names[i].version)
		p = dlvsym(RTLD_NEXT, names[i].name, names[i].version);
#endif
	if (!p)
		p = dlsym(RTLD_NEXT, names[i].name);
	if (!p) {
		dlerror(); /* the program must not see our question */
		p = (void *)missing;
	}
	if (t)
		t->in_wrapper--;
	__atomic_store_n(slot, p, __ATOMIC_RELAXED);
	errno = saved;
	return p;
}

static void find_all(void)
{
	for (unsigned i = 0; i < FRT_REALS; i++)
		if (!((void **)&frt_real)[i])
			frt_real_find(i);
}

/* When the program is recorded, none has to be looked for in a signal handler. */
static void init(int argc, char **argv, char **envp)
{
	static const char name[] = FR_ENV_POOL "=";

	(void)argc;
	(void)argv;
	for (; *envp; envp++)
		if (!strncmp(*envp, name, sizeof(name) - 1)) {
			find_all();
			return;
		}
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(int, char **,
									      char **) = init;
