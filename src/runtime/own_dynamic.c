/*
 * What the runtime needs of libc's own state, in dynamic programs: libc's function, whatever the
 * program and its libraries define (own.h).
 *
 * Invariant: an entry goes from NULL to its value once; two threads that race find the same value.
 */
#define FRT_OWN_EXEMPT
#include "own.h"
#include "real.h"
#include "rt.h"
#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/sysinfo.h>

/* Those that are wrapped are known already. */
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

/* libc itself, not any library that comes before it. */
void *frt_own_look_up(const char *name);

static void *libc(void)
{
	static void *handle;
	void *h = __atomic_load_n(&handle, __ATOMIC_RELAXED);

	if (!h) {
		h = REAL(dlopen)("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
		__atomic_store_n(&handle, h, __ATOMIC_RELAXED);
	}
	return h;
}

void *frt_own_look_up(const char *name)
{
	return libc() ? dlsym(libc(), name) : NULL;
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

/* None has to be looked for in a hook of a program that is recorded. */
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
	dlerror(); /* the program must not see our question */
}
