/*
 * Interception in dynamic programs: the executable defines the wrapped names, and the loader
 * prefers it to libc for the program, its libraries and modules loaded later (dynamic.list exports
 * the names).
 *
 * The names are weak: a program that defines one of them itself keeps its own.
 *
 * Sanitizers (address, leak, undefined) intercept too. By their protocol (compiler-rt's
 * interception.h), NAME jumps to __interceptor_NAME, which another runtime may define. That one
 * passes the call on to ___interceptor_NAME, the sanitizer's function. So a call reaches the
 * runtime whichever of the two weak NAMEs the linker took, then the sanitizer, then libc. The
 * sanitizer keeps its allocator, except for the calls that sanitizer.c cannot learn of otherwise.
 *
 * Not handled: calls inside libc, which do not pass through the loader; other allocators loaded as
 * libraries: their malloc is replaced as a whole, their private entry points are not.
 */
#include "real.h"
#include "rt.h"
#include "rt_assert.h"
#include "runtime/tsan/tsan_stub.h"
#include <errno.h>
#include <string.h>

/* NAME: jumps to frt_wrap_NAME. */
#define STUB(bind, name, n)                                                                  \
	__asm__(".text\n." bind " " name "\n.type " name ",@function\n" name ":\n"           \
		".cfi_startproc\n" FRT_STUB_JUMP("frt_wrap_" #n) ".cfi_endproc\n.size " name \
								 ", .-" name "\n");
#define FRT_W(n) STUB("weak", #n, n) STUB("globl", "__interceptor_" #n, n)
#define FRT_WV(n, v) FRT_W(n)
#define FRT_WA(n, i) STUB("weak", #n, n)
#define FRT_WD(n) FRT_W(n)
/* frt_stub_NAME is the address of NAME, if NAME is the runtime's. */
#define FRT_WP(n)                                                                              \
	__asm__(".text\n.globl frt_stub_" #n "\n.hidden frt_stub_" #n "\nfrt_stub_" #n ":\n"); \
	FRT_W(n)
#define FRT_WN(n) FRT_W(n)
#include "format/wrapped.def"
#undef FRT_W
#undef FRT_WV
#undef FRT_WA
#undef FRT_WD
#undef FRT_WP
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

/* A sanitizer's functions. The sanitizer may be a shared library (-shared-libsan), where dlsym
   finds them. The allocator's must be known before dlsym can be called. The others are not worth
   symbols that the loader would look for in all programs. */
#define FRT_W(n) \
	extern __typeof__(n) ___interceptor_##n __attribute__((weak, visibility("hidden")));
#define FRT_WV(n, v) FRT_W(n)
#define FRT_WA(n, i) extern __typeof__(n) ___interceptor_##n __attribute__((weak));
#define FRT_WD(n) FRT_W(n)
#define FRT_WP(n) \
	FRT_W(n)  \
	extern const char frt_stub_##n[], frt_defines_##n[] __attribute__((weak));
#define FRT_WN(n)
#include "format/wrapped.def"
#undef FRT_W
#undef FRT_WA

struct frt_real frt_real;

void frt_own_find(void);
void *frt_own_look_up(const char *name);
__typeof__(strncmp) frt_own_strncmp;

#define PREFIX "___interceptor_"

static const struct {
	const char *sanitizer_name, *version;
	void *sanitizer, *internal;
	/* `taken` is the function that the program uses, `stub` the runtime's: if they
	   differ, the program has its own. `own`: the pass marked it (src/pass/own_libc_name.c),
	   and calls of it never come here. */
	const void *taken, *stub, *own;
} names[] = {
#define FRT_W(n) {PREFIX #n, NULL, ___interceptor_##n, NULL, NULL, NULL, NULL},
#undef FRT_WV
#define FRT_WV(n, v) {PREFIX #n, v, ___interceptor_##n, NULL, NULL, NULL, NULL},
#undef FRT_WP
#define FRT_WP(n) \
	{PREFIX #n, NULL, ___interceptor_##n, NULL, (const void *)n, frt_stub_##n, frt_defines_##n},
/* By version, so that it is not the function of another, preloaded allocator. */
#define FRT_WA(n, i) {PREFIX #n, "GLIBC_2.2.5", ___interceptor_##n, i, NULL, NULL, NULL},
#include "format/wrapped.def"
};
_Static_assert(sizeof(names) / sizeof(*names) == FRT_REALS, "one name for each real function");

static long missing(void)
{
	errno = ENOSYS;
	return -1;
}

extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

/* Looks in the shared libraries. */
static void *look_up(unsigned i)
{
	const char *name = names[i].sanitizer_name + sizeof(PREFIX) - 1;
	void *p = NULL;

	if (names[i].own && names[i].taken != names[i].stub) /* the executable defines it */
		p = frt_own_look_up(name);
	if (!p && __sanitizer_set_death_callback) /* a sanitizer is linked */
		p = dlsym(RTLD_DEFAULT, names[i].sanitizer_name);
#if defined(__x86_64__)
	if (!p && names[i].version)
		p = dlvsym(RTLD_NEXT, name, names[i].version);
#endif
	if (!p)
		p = dlsym(RTLD_NEXT, name);
	dlerror(); /* hide this query from the program */
	return p ? p : (void *)missing;
}

void *frt_real_find(unsigned i)
{
	void *p = names[i].sanitizer ? names[i].sanitizer : names[i].internal;
	struct frt_thread *t = frt_self;
	int saved = errno;

	if (!p && names[i].taken != names[i].stub && !names[i].own)
		p = (void *)names[i].taken;
	if (!p) {
		if (t)
			t->in_wrapper++; /* dlsym allocates */
		p = look_up(i);
		if (t)
			t->in_wrapper--;
		errno = saved;
	}
	frt_assert(p && i < FRT_REALS);
	__atomic_store_n((void **)&frt_real + i, p, __ATOMIC_RELAXED);
	return p;
}

/* Is it a function of libstdc++? Most programs have none, and dlsym would allocate a message about
   that in the program's heap. */
static bool is_cpp(unsigned i)
{
	return !frt_own_strncmp(names[i].sanitizer_name + sizeof(PREFIX) - 1, "_Z", 2);
}

static void find_all(void)
{
	for (unsigned i = 0; i < FRT_REALS; i++)
		if (!((void **)&frt_real)[i] && !is_cpp(i))
			frt_real_find(i);
}

/* Finds all functions of libc at start when the program is recorded, so that no signal handler has
   to. A sanitizer calls some of them with its allocator locked, and the search allocates. */
static void init(int argc, char **argv, char **envp)
{
	static const char name[] = FR_ENV_POOL "=";

	(void)argc;
	(void)argv;
	for (; *envp; envp++)
		if (!frt_own_strncmp(*envp, name, sizeof(name) - 1))
			break;
	if (*envp || __sanitizer_set_death_callback) {
		find_all();
		frt_own_find();
	}
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(int, char **,
									      char **) = init;
