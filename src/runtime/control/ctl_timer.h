/* The program's timers on the virtual clock: see ctl_timer.c. */
#ifndef FRT_CTL_TIMER_H
#define FRT_CTL_TIMER_H

#include "ctl.h"

enum frt_timer_kind {
	FRT_TIMER_NONE,
	FRT_TIMER_ALARM,  /* alarm, setitimer(ITIMER_REAL): at most one */
	FRT_TIMER_POSIX,  /* timer_create with a signal or without notification */
	FRT_TIMER_THREAD, /* timer_create with SIGEV_THREAD; also armed in the kernel */
	FRT_TIMER_FD,	  /* timerfd_create; also armed in the kernel */
};

struct frt_timer_event {
	int sig;      /* 0: none */
	uint32_t tid; /* kernel thread that gets the signal, 0: any */
	union sigval value;
};

/* Makes a disarmed timer; replaces one with the same id. NULL: too many. */
struct frt_timer_event *frt_ctl_timer_make(enum frt_timer_kind kind, uintptr_t id);
void frt_ctl_timer_drop(enum frt_timer_kind kind, uintptr_t id);
/* Nanoseconds until it expires (0: disarmed) and between expiries. False: no such timer. */
bool frt_ctl_timer_left(enum frt_timer_kind kind, uintptr_t id, uint64_t *left, uint64_t *interval);
/* until: virtual time (frt_ctl_until); 0 disarms. False: no such timer. */
bool frt_ctl_timer_set(enum frt_timer_kind kind, uintptr_t id, uint64_t until, uint64_t interval);
/* wrap_timer.c: timerfd_settime and timerfd_gettime, controlled or not. */
struct itimerspec;
int frt_timerfd_set(int fd, int flags, const struct itimerspec *to, struct itimerspec *was);
int frt_timerfd_get(int fd, struct itimerspec *now);
/* The program found this descriptor ready, or read it. */
void frt_ctl_timerfd_seen(int fd);

/* ---- for ctl*.c ---- */

/* Lowers *deadline to the first expiry. False: no timer expires before *deadline. */
bool frt_ctl_timer_next(uint64_t *deadline);
/* Lets the first timer expire. True: the timer repeats. */
bool frt_ctl_timer_fire(void);
/* The schedule begins the handler of this signal: the timer that sends it expires now. */
bool frt_ctl_timer_take(int sig);
/* Fills in the siginfo of a signal that a timer sends. False: no timer sends it. */
bool frt_ctl_timer_info(int sig, siginfo_t *ret);
/* All threads are in system calls, so none can let timers expire: arms them in the kernel. */
void frt_ctl_timers_to_kernel(void);
void frt_ctl_timers_from_kernel(void);
/* The thread is about to wait for a signal in the kernel: arms the timers there if the program has
   no other thread that could let them expire. True: call frt_ctl_timers_from_kernel after the
   wait. */
bool frt_ctl_timers_lend(void);
/* True if a timer in the kernel will send a signal. */
bool frt_ctl_timer_in_kernel(void);
/* A signal has come that a timer armed in the kernel may have sent. */
void frt_ctl_timer_came(int sig);

#endif
