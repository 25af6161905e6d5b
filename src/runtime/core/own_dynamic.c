/*
 * Functions that need libc's own state, in dynamic programs: calls libc's function, even if the
 * program or its libraries define another (own.h).
 *
 * Invariant: an entry changes from NULL to its value once; two threads that race find the same
 * value.
 */
#define FRT_OWN_EXEMPT
#include "own.h"
#include "real.h"
#include "rt.h"
#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/sysinfo.h>

/* The wrapped ones are already known. */
#define WRAPPED(type, n, params, args) \
	type frt_own_##n params;       \
	type frt_own_##n params        \
	{                              \
		return REAL(n) args;   \
	}
WRAPPED(int, sigaction, (int sig, const struct sigaction *act, struct sigaction *old),
	(sig, act, old))
WRAPPED(int, sigtimedwait, (const sigset_t *set, siginfo_t *info, const struct timespec *timeout),
	(set, info, timeout))
WRAPPED(int, clock_gettime, (clockid_t clock, struct timespec *ret), (clock, ret))
WRAPPED(int, pthread_setcanceltype, (int type, int *old), (type, old))

/* Looks up a function in libc itself, not in a library that comes before it. It walks the loader's
   list and libc's symbol table by hand, because it runs before libc is initialised: dlopen would
   initialise libc at once, without the program's arguments and environment. */
void *frt_own_look_up(const char *name);
__typeof__(strcmp) frt_own_strcmp;
__typeof__(strlen) frt_own_strlen;

static const struct link_map *libc(void)
{
	static const char libc_name[] = "/libc.so.6";
	const struct link_map *m = NULL;

	for (const ElfW(Dyn) *d = _DYNAMIC; d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_DEBUG && d->d_un.d_ptr)
			m = ((const struct r_debug *)d->d_un.d_ptr)->r_map;
	for (; m; m = m->l_next) {
		size_t n = frt_own_strlen(m->l_name), end = sizeof(libc_name) - 1;

		if (n >= end && !frt_own_strcmp(m->l_name + n - end, libc_name))
			break;
	}
	return m;
}

/* The loader has relocated the entries in place, except where they are read-only. */
static const void *entry(const struct link_map *m, ElfW(Sxword) tag)
{
	for (const ElfW(Dyn) *d = m->l_ld; d->d_tag != DT_NULL; d++)
		if (d->d_tag == tag)
			return (const void *)(d->d_un.d_ptr < m->l_addr ? d->d_un.d_ptr + m->l_addr
									: d->d_un.d_ptr);
	return NULL;
}

static uint32_t gnu_hash(const char *name)
{
	uint32_t h = 5381;

	for (; *name; name++)
		h = h * 33 + (unsigned char)*name;
	return h;
}

/* Returns the default version of a function, or NULL, also for one that a
   resolver (ifunc) chooses. */
void *frt_own_look_up(const char *name)
{
	const struct link_map *m = libc();
	const uint32_t *hash = m ? entry(m, DT_GNU_HASH) : NULL;
	const ElfW(Sym) *sym = m ? entry(m, DT_SYMTAB) : NULL;
	const char *text = m ? entry(m, DT_STRTAB) : NULL;
	const ElfW(Half) *version = m ? entry(m, DT_VERSYM) : NULL;
	const uint32_t *bucket, *chain;
	uint32_t want = gnu_hash(name), i;

	if (!hash || !sym || !text)
		return NULL;
	bucket = hash + 4 + hash[2] * (sizeof(ElfW(Addr)) / sizeof(*hash));
	chain = bucket + hash[0] - hash[1];
	i = bucket[want % hash[0]];
	for (bool more = i >= hash[1]; more; more = !(chain[i++] & 1)) {
		const ElfW(Sym) *x = &sym[i];

		if ((chain[i] | 1) != (want | 1) || frt_own_strcmp(text + x->st_name, name) ||
		    (version && version[i] & 0x8000))
			continue;
		return ELF64_ST_TYPE(x->st_info) == STT_FUNC ? (void *)(m->l_addr + x->st_value)
							     : NULL;
	}
	return NULL;
}

static void *find(void **slot, const char *name)
{
	void *p = __atomic_load_n(slot, __ATOMIC_RELAXED);
	struct frt_thread *t = frt_self;
	int saved = errno;

	if (p)
		return p;
	if (t)
		t->in_wrapper++; /* dlsym allocates */
	p = frt_own_look_up(name);
	if (!p) /* before glibc 2.34 */
		p = dlsym(RTLD_NEXT, name);
	if (t)
		t->in_wrapper--;
	errno = saved;
	__atomic_store_n(slot, p, __ATOMIC_RELAXED);
	return p;
}

#define BEHIND(type, n, params, args)                             \
	static void *slot_##n;                                    \
	type frt_own_##n params;                                  \
	type frt_own_##n params                                   \
	{                                                         \
		return ((__typeof__(&n))find(&slot_##n, #n))args; \
	}
BEHIND(pthread_t, pthread_self, (void), ())
BEHIND(int, pthread_key_create, (pthread_key_t * key, void (*end)(void *)), (key, end))
BEHIND(int, pthread_setspecific, (pthread_key_t key, const void *value), (key, value))
BEHIND(int, pthread_setcancelstate, (int state, int *old), (state, old))
BEHIND(void, pthread_testcancel, (void), ())
BEHIND(int, pthread_attr_getdetachstate, (const pthread_attr_t *attr, int *ret), (attr, ret))
BEHIND(int, sem_getvalue, (sem_t * sem, int *ret), (sem, ret))
BEHIND(int, dl_iterate_phdr, (int (*each)(struct dl_phdr_info *, size_t, void *), void *data),
       (each, data))
BEHIND(unsigned long, getauxval, (unsigned long type), (type))
BEHIND(long, sysconf, (int name), (name))
BEHIND(int, get_nprocs, (void), ())
BEHIND(int, vsnprintf, (char *to, size_t max, const char *format, va_list args),
       (to, max, format, args))
BEHIND(int, vsprintf, (char *to, const char *format, va_list args), (to, format, args))
BEHIND(int, pthread_attr_getsigmask_np, (const pthread_attr_t *attr, sigset_t *ret), (attr, ret))
BEHIND(int, mallopt, (int what, int value), (what, value))

/* Finds all functions at start, so that no hook of a recorded program has to. */
void frt_own_find(void)
{
#define FIND(n) find(&slot_##n, #n)
	FIND(pthread_self);
	FIND(pthread_key_create);
	FIND(pthread_setspecific);
	FIND(pthread_setcancelstate);
	FIND(pthread_testcancel);
	FIND(pthread_attr_getdetachstate);
	FIND(sem_getvalue);
	FIND(dl_iterate_phdr);
	FIND(getauxval);
	FIND(sysconf);
	FIND(get_nprocs);
	FIND(vsnprintf);
	FIND(vsprintf);
	FIND(pthread_attr_getsigmask_np);
	FIND(mallopt);
	dlerror(); /* hide this query from the program */
}
