/*
 * System calls with libc's contracts, for the runtime only (own.h): -1 and errno on failure. None
 * is a cancellation point.
 */
#define FRT_OWN_EXEMPT
#include "own.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#define KERNEL_SIGSET 8 /* bytes of the kernel's signal set */

/* Makes a debugger show a thread that waits here like one in a call of libc: a name, and no
   variables that depend on how the kernel interrupted it. */
#if defined(__clang__)
#define QUIET __attribute__((nodebug))
#else /* gcc only checks this file; it is never linked into a program */
#define QUIET
#endif

static inline QUIET long raw(long number, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long r;

	__asm__ volatile("syscall"
			 : "=a"(r)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return r;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
#else
#error "no system call known for this machine"
#endif
}

static QUIET long checked(long r)
{
	if (r < 0 && r > -4096) {
		errno = (int)-r;
		return -1;
	}
	return r;
}

#define CALL6(n, a, b, c, d, e, f) \
	checked(raw(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f)))
#define CALL5(n, a, b, c, d, e) CALL6(n, a, b, c, d, e, 0)
#define CALL4(n, a, b, c, d) CALL6(n, a, b, c, d, 0, 0)
#define CALL3(n, a, b, c) CALL6(n, a, b, c, 0, 0, 0)
#define CALL2(n, a, b) CALL6(n, a, b, 0, 0, 0, 0)
#define CALL1(n, a) CALL6(n, a, 0, 0, 0, 0, 0)
#define CALL0(n) CALL6(n, 0, 0, 0, 0, 0, 0)

QUIET long frt_own_syscall(long number, ...);
void frt_own__exit(int status) __attribute__((noreturn));
void *frt_own_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset);
int frt_own_munmap(void *at, size_t n);
int frt_own_madvise(void *at, size_t n, int advice);
int frt_own_open(const char *path, int flags, ...);
ssize_t frt_own_write(int fd, const void *from, size_t n);
ssize_t frt_own_read(int fd, void *to, size_t n);
int frt_own_openat(int dir, const char *path, int flags, ...);
int frt_own_close(int fd);
int frt_own_fstat(int fd, struct stat *ret);
int frt_own_fcntl(int fd, int what, ...);
ssize_t frt_own_recv(int fd, void *to, size_t n, int flags);
int frt_own_prctl(int what, ...);
int frt_own_poll(struct pollfd *fds, nfds_t n, int ms);
int frt_own_getsockname(int fd, struct sockaddr *ret, socklen_t *len);
int frt_own_getpeername(int fd, struct sockaddr *ret, socklen_t *len);
int frt_own_getsockopt(int fd, int level, int name, void *ret, socklen_t *len);
int frt_own_signalfd(int fd, const sigset_t *set, int flags);
int frt_own_sigaltstack(const stack_t *set, stack_t *old);
int frt_own_pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
pid_t frt_own_getpid(void);
pid_t frt_own_getppid(void);
pid_t frt_own_gettid(void);
int frt_own_kill(pid_t pid, int sig);
int frt_own_sched_yield(void);
int frt_own_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *ret);
int frt_own_sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set);

long frt_own_syscall(long number, ...)
{
	va_list args;
	long a[6];

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	return CALL6(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

void frt_own__exit(int status)
{
	for (;;)
		CALL1(SYS_exit_group, status);
}

void *frt_own_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
	return (void *)CALL6(SYS_mmap, at, n, prot, flags, fd, offset);
}

int frt_own_munmap(void *at, size_t n)
{
	return (int)CALL2(SYS_munmap, at, n);
}

int frt_own_madvise(void *at, size_t n, int advice)
{
	return (int)CALL3(SYS_madvise, at, n, advice);
}

/* The runtime creates no files, so there is no mode. */
int frt_own_open(const char *path, int flags, ...)
{
	return (int)CALL3(SYS_openat, AT_FDCWD, path, flags);
}

ssize_t frt_own_read(int fd, void *to, size_t n)
{
	return CALL3(SYS_read, fd, to, n);
}

int frt_own_openat(int dir, const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	return (int)CALL4(SYS_openat, dir, path, flags, mode);
}

ssize_t frt_own_write(int fd, const void *from, size_t n)
{
	return CALL3(SYS_write, fd, from, n);
}

int frt_own_close(int fd)
{
	return (int)CALL1(SYS_close, fd);
}

int frt_own_fstat(int fd, struct stat *ret)
{
	return (int)CALL2(SYS_fstat, fd, ret);
}

int frt_own_fcntl(int fd, int what, ...)
{
	va_list args;
	long arg;

	va_start(args, what);
	arg = va_arg(args, long);
	va_end(args);
	return (int)CALL3(SYS_fcntl, fd, what, arg);
}

ssize_t frt_own_recv(int fd, void *to, size_t n, int flags)
{
	return CALL6(SYS_recvfrom, fd, to, n, flags, NULL, NULL);
}

int frt_own_prctl(int what, ...)
{
	va_list args;
	long arg;

	va_start(args, what);
	arg = va_arg(args, long);
	va_end(args);
	return (int)CALL2(SYS_prctl, what, arg);
}

int frt_own_poll(struct pollfd *fds, nfds_t n, int ms)
{
	struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};

	return (int)CALL5(SYS_ppoll, fds, n, ms < 0 ? NULL : &t, NULL, KERNEL_SIGSET);
}

int frt_own_getsockname(int fd, struct sockaddr *ret, socklen_t *len)
{
	return (int)CALL3(SYS_getsockname, fd, ret, len);
}

int frt_own_getpeername(int fd, struct sockaddr *ret, socklen_t *len)
{
	return (int)CALL3(SYS_getpeername, fd, ret, len);
}

int frt_own_getsockopt(int fd, int level, int name, void *ret, socklen_t *len)
{
	return (int)CALL5(SYS_getsockopt, fd, level, name, ret, len);
}

int frt_own_signalfd(int fd, const sigset_t *set, int flags)
{
	return (int)CALL4(SYS_signalfd4, fd, set, KERNEL_SIGSET, flags);
}

int frt_own_sigaltstack(const stack_t *set, stack_t *old)
{
	return (int)CALL2(SYS_sigaltstack, set, old);
}

/* Returns the error. Never blocks the two signals that glibc uses itself. */
int frt_own_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	uint64_t mask = set ? *(const uint64_t *)set & ~(UINT64_C(3) << 31) : 0;
	long r = raw(SYS_rt_sigprocmask, how, (long)(set ? &mask : NULL), (long)old, KERNEL_SIGSET,
		     0, 0);

	return (int)-r;
}

pid_t frt_own_getpid(void)
{
	return (pid_t)CALL0(SYS_getpid);
}

pid_t frt_own_getppid(void)
{
	return (pid_t)CALL0(SYS_getppid);
}

pid_t frt_own_gettid(void)
{
	return (pid_t)CALL0(SYS_gettid);
}

int frt_own_kill(pid_t pid, int sig)
{
	return (int)CALL2(SYS_kill, pid, sig);
}

int frt_own_sched_yield(void)
{
	return (int)CALL0(SYS_sched_yield);
}

/* The kernel returns the number of bytes that it wrote. */
int frt_own_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *ret)
{
	long r;

	for (size_t i = 0; i < size; i++)
		((char *)ret)[i] = 0;
	r = CALL3(SYS_sched_getaffinity, pid, size, ret);
	return r < 0 ? -1 : 0;
}

int frt_own_sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	return (int)CALL3(SYS_sched_setaffinity, pid, size, set);
}
