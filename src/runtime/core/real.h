/*
 * The real functions behind the wrappers: REAL(pthread_mutex_lock)(m) calls that of libc, or that
 * of a sanitizer with which the program is linked.
 *
 * Meaning:   frt_real holds a pointer for each entry of wrapped.def. In a static program the linker
 *            fills it in (--wrap). A dynamic program finds each function at its first use, mostly
 *            with dlsym, or all at start when it is recorded. The allocator's functions are found
 *            without dlsym, because dlsym allocates; except malloc_usable_size and posix_memalign,
 *            which dlsym does not need.
 * Invariant: an entry changes from NULL to its value once; two threads that race find the same
 *            value.
 */
#ifndef FRT_REAL_H
#define FRT_REAL_H

#include <aio.h>
#include <assert.h>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* sigset is wrapped as well */

/* Not declared by any C header, or only by those of newer libraries. */
uint32_t arc4random(void);
uint32_t arc4random_uniform(uint32_t below);
void arc4random_buf(void *p, size_t n);
unsigned _ZNSt13random_device9_M_getvalEv(void *self);
int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t room);
int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask,
		size_t room);
int __printf_chk(int flag, const char *restrict format, ...);
int __fprintf_chk(FILE *restrict f, int flag, const char *restrict format, ...);
int __vfprintf_chk(FILE *restrict f, int flag, const char *restrict format, va_list args);
int __isoc99_fscanf(FILE *restrict f, const char *restrict format, ...);
int __isoc99_vfscanf(FILE *restrict f, const char *restrict format, va_list args);
sighandler_t bsd_signal(int sig, sighandler_t handler);
int __cxa_guard_acquire(uint64_t *guard);
void __cxa_guard_release(uint64_t *guard);
void __cxa_guard_abort(uint64_t *guard);

#define FRT_WV(n, v) FRT_W(n)
#define FRT_WA(n, i) FRT_W(n)
#define FRT_WD(n) FRT_W(n)
#define FRT_WP(n) FRT_W(n)

/* The wrapper of each. */
#define FRT_W(n) extern __typeof__(n) frt_wrap_##n;
#define FRT_WN(n) FRT_W(n)
#include "format/wrapped.def"
#undef FRT_W
#undef FRT_WN

struct frt_real {
#define FRT_W(n) __typeof__(n) *n;
#define FRT_WN(n)
#include "format/wrapped.def"
#undef FRT_W
#undef FRT_WN
};

#undef FRT_WV
#undef FRT_WA
#undef FRT_WD
#undef FRT_WP

extern struct frt_real frt_real;

#define FRT_REALS (sizeof(struct frt_real) / sizeof(void *))

/* Finds entry i, stores and returns it. Never NULL:
   a function that libc lacks fails with ENOSYS. */
void *frt_real_find(unsigned i);

#define FRT_REAL_SLOT(n) ((unsigned)(__builtin_offsetof(struct frt_real, n) / sizeof(void *)))

#define REAL(n)                                                                        \
	((__typeof__(&n))(__builtin_expect(!!frt_real.n, 1)                            \
			      ? (void *)__atomic_load_n(&frt_real.n, __ATOMIC_RELAXED) \
			      : frt_real_find(FRT_REAL_SLOT(n))))

#endif
