/*
 * Force-included into the runtime's files: there, libc's public names mean functions of the
 * runtime.
 *
 * Purpose:      programs define strnlen, memcpy, write or sigaction themselves. If the runtime
 *               called one by its public name, it would run instrumented code of the program in the
 *               middle of a hook, and depend on code that may behave differently.
 * Means:        the assembler turns every reference to NAME in the object file into one to
 *               frt_own_NAME, including those that the compiler generates for copies of structs.
 * FRT_OWN:      own.c and own_sys.c implement these with nothing but system calls.
 * FRT_OWN_LIBC: libc must do these, because they touch its own state. own_dynamic.c asks the loader
 *               for libc's function behind the program's; own_static.c uses libc.a's private name
 *               for it.
 * Forwards:     a wrapper that passes on a call of the program must reach the function that the
 *               program means. It uses REAL(name) (real.h) or PUBLIC(name) (public.h).
 * Exempt:       interpose_*.c, own_*.c and public.c, which deal with the names themselves.
 *
 * A test compares the undefined names of the archives with a list.
 */
#ifndef FRT_OWN_H
#define FRT_OWN_H

/* clang-format off */
#define FRT_OWN(X)                                                                                 \
	X(memcpy) X(memmove) X(memset) X(memcmp) X(bcmp) X(memchr) X(rawmemchr)                    \
	X(strlen) X(strnlen) X(strcmp) X(strncmp) X(strchr) X(strncpy) X(strspn)                   \
	X(sigemptyset) X(sigfillset) X(sigaddset) X(sigdelset) X(sigismember)                      \
	X(syscall) X(_exit) X(mmap) X(munmap) X(madvise) X(open) X(write) X(close) X(fstat)        \
	X(fcntl) X(recv) X(prctl) X(poll) X(getsockname) X(getpeername) X(getsockopt)              \
	X(signalfd) X(sigaltstack)                                                                 \
	X(pthread_sigmask) X(getpid) X(getppid) X(gettid) X(kill) X(sched_yield)                   \
	X(sched_getaffinity) X(sched_setaffinity)

/* NAME, and libc.a's private name for it. */
#define FRT_OWN_LIBC(X)                                                                            \
	X(sigaction, __sigaction) X(sigtimedwait, __sigtimedwait)                                  \
	X(clock_gettime, __clock_gettime) X(pthread_self, __pthread_self)                          \
	X(pthread_key_create, __pthread_key_create) X(pthread_setspecific, __pthread_setspecific)  \
	X(pthread_setcancelstate, __pthread_setcancelstate)                                        \
	X(pthread_setcanceltype, __pthread_setcanceltype)                                          \
	X(pthread_testcancel, __pthread_testcancel)                                                \
	X(pthread_attr_getdetachstate, __pthread_attr_getdetachstate)                              \
	X(sem_getvalue, __new_sem_getvalue) X(dl_iterate_phdr, __dl_iterate_phdr)                  \
	X(getauxval, __getauxval) X(sysconf, __sysconf) X(get_nprocs, __get_nprocs)           \
	X(pthread_attr_getsigmask_np, __pthread_attr_getsigmask_np)                                \
	X(vsnprintf, ___vsnprintf) X(vsprintf, _IO_vsprintf)
/* clang-format on */

#if defined(__clang__) && !defined(FRT_OWN_EXEMPT)
#define FRT_X(n) __asm__(#n " = frt_own_" #n);
#define FRT_Y(n, private) FRT_X(n)
FRT_OWN(FRT_X)
FRT_OWN_LIBC(FRT_Y)
FRT_X(mallopt)
#undef FRT_X
#undef FRT_Y
#endif

#endif
