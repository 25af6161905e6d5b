/* Timers of the program on the virtual clock: see ctl_timer.c. */
#ifndef FRT_CTL_TIMER_H
#define FRT_CTL_TIMER_H

#include "ctl.h"

enum frt_timer_kind {
	FRT_TIMER_NONE,
	FRT_TIMER_ALARM,  /* alarm, setitimer(ITIMER_REAL): one */
	FRT_TIMER_POSIX,  /* timer_create with a signal, or without anything */
	FRT_TIMER_THREAD, /* timer_create with SIGEV_THREAD: the kernel has it as well */
	FRT_TIMER_FD,	  /* timerfd_create: the kernel has it as well */
};

struct frt_timer_event {
	int sig;      /* 0: none */
	uint32_t tid; /* os thread that gets it, 0: any */
	union sigval value;
};

/* A timer that is not armed, instead of one with the same name. NULL: too many. */
struct frt_timer_event *frt_ctl_timer_make(enum frt_timer_kind kind, uintptr_t id);
void frt_ctl_timer_drop(enum frt_timer_kind kind, uintptr_t id);
/* Nanoseconds until it expires (0: it is not armed) and between expiries. False: not known. */
bool frt_ctl_timer_left(enum frt_timer_kind kind, uintptr_t id, uint64_t *left, uint64_t *interval);
/* until: virtual time (frt_ctl_until); 0 disarms. False: not known. */
bool frt_ctl_timer_set(enum frt_timer_kind kind, uintptr_t id, uint64_t until, uint64_t interval);
/* wrap_timer.c: timerfd_settime and timerfd_gettime, controlled or not. */
struct itimerspec;
int frt_timerfd_set(int fd, int flags, const struct itimerspec *to, struct itimerspec *was);
int frt_timerfd_get(int fd, struct itimerspec *now);
/* A descriptor was found ready, or read. */
void frt_ctl_timerfd_seen(int fd);

/* ---- for ctl*.c ---- */

/* Lowers *deadline to the first expiry. False: there is none before. */
bool frt_ctl_timer_next(uint64_t *deadline);
/* The first one expires. True: it will again. */
bool frt_ctl_timer_fire(void);
/* The schedule says that this signal has come: the timer that sends it has expired. */
bool frt_ctl_timer_take(int sig);
/* What a handler is told of a signal that a timer sends. */
bool frt_ctl_timer_info(int sig, siginfo_t *ret);
/* Nobody is left to let timers expire while all threads are in system calls: the kernel does. */
void frt_ctl_timers_to_kernel(void);
void frt_ctl_timers_from_kernel(void);
/* A signal has come, which a timer that the kernel has may have sent. */
void frt_ctl_timer_came(int sig);

#endif
