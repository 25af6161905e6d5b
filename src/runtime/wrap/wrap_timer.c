/*
 * Timers of the program. Setting a timer counts as sending its signal, so the consequences of the
 * signal come after it. Disarming orders nothing. Under a schedule timers run on the virtual clock
 * (ctl_timer.h).
 * Not handled: timers that start threads (counted as not modelled: the threads are not recorded),
 * and more timers than the table has room for.
 */
#include "runtime/control/ctl.h"
#include "runtime/control/ctl_timer.h"
#include "runtime/core/rt_input.h"
#include "runtime/core/kernel.h"
#include "wrap.h"
#include <stdatomic.h>

#define SECOND UINT64_C(1000000000)
#define TIMERS 256

static _Atomic uint8_t signal_of[TIMERS]; /* by the kernel's number of the timer; 0: none */

static void will_send(int sig)
{
	frt_signal_sent(sig, frt_signal_sends(sig, false));
}

static bool controlled(void)
{
	return frt_controlled() && frt_asking();
}

static uint64_t virtual_now(void)
{
	return frt_ctl_until(CLOCK_MONOTONIC, &(struct timespec){0});
}

/* ---- alarm, setitimer ---- */

/* Sets the alarm; returns the time that was left of the previous one. */
static uint64_t set_alarm(uint64_t ns, uint64_t interval, uint64_t *was_interval)
{
	uint64_t left;

	if (!frt_ctl_timer_left(FRT_TIMER_ALARM, 0, &left, was_interval))
		*frt_ctl_timer_make(FRT_TIMER_ALARM, 0) = (struct frt_timer_event){.sig = SIGALRM};
	frt_ctl_timer_set(FRT_TIMER_ALARM, 0, ns ? virtual_now() + ns : 0, interval);
	return left;
}

unsigned frt_wrap_alarm(unsigned s)
{
	uint64_t interval;

	if (s)
		will_send(SIGALRM);
	if (controlled())
		return (unsigned)((set_alarm(s * SECOND, 0, &interval) + SECOND - 1) / SECOND);
	return REAL(alarm)(s);
}

useconds_t frt_wrap_ualarm(useconds_t us, useconds_t again)
{
	uint64_t interval;

	if (us)
		will_send(SIGALRM);
	if (controlled())
		return (
		    useconds_t)(set_alarm(us * UINT64_C(1000), again * UINT64_C(1000), &interval) /
				1000);
	return REAL(ualarm)(us, again);
}

static bool is_set(long s, long part)
{
	return s || part;
}

static uint64_t from_timeval(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * SECOND + (uint64_t)tv->tv_usec * 1000;
}

static struct timeval to_timeval(uint64_t ns)
{
	return (struct timeval){(time_t)(ns / SECOND), (suseconds_t)(ns % SECOND / 1000)};
}

static bool valid(const struct timeval *tv)
{
	return tv->tv_sec >= 0 && tv->tv_usec >= 0 && tv->tv_usec < 1000000;
}

int frt_wrap_setitimer(__itimer_which_t which, const struct itimerval *restrict to,
		       struct itimerval *restrict was)
{
	if (to && is_set(to->it_value.tv_sec, to->it_value.tv_usec))
		will_send(which == ITIMER_REAL	    ? SIGALRM
			  : which == ITIMER_VIRTUAL ? SIGVTALRM
						    : SIGPROF);
	if (to && which == ITIMER_REAL && controlled() && valid(&to->it_value) &&
	    valid(&to->it_interval)) {
		uint64_t interval, left = set_alarm(from_timeval(&to->it_value),
						    from_timeval(&to->it_interval), &interval);

		if (was)
			*was = (struct itimerval){to_timeval(interval), to_timeval(left)};
		return 0;
	}
	return REAL(setitimer)(which, to, was);
}

int frt_wrap_getitimer(__itimer_which_t which, struct itimerval *now)
{
	uint64_t interval, left;

	if (now && which == ITIMER_REAL && controlled()) {
		frt_ctl_timer_left(FRT_TIMER_ALARM, 0, &left, &interval);
		*now = (struct itimerval){to_timeval(interval), to_timeval(left)};
		return 0;
	}
	return REAL(getitimer)(which, now);
}

/* ---- timer_create ---- */

#define OF_THREAD 0x80 /* flag in clock_of: the timer starts threads */

static uint8_t clock_of[TIMERS]; /* under a schedule */
_Static_assert(CLOCK_TAI < OF_THREAD, "a clock beside the flag");
_Static_assert(NSIG <= UINT8_MAX, "a signal in an entry of signal_of");

static struct timespec to_timespec(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / SECOND), (long)(ns % SECOND)};
}

static bool on_virtual_clock(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME ||
	       clock == CLOCK_TAI || clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM;
}

/* libc's header has no name for sigev_notify_thread_id. */
static uint32_t thread_of(const struct sigevent *event)
{
	return event && event->sigev_notify == SIGEV_THREAD_ID ? (uint32_t)event->_sigev_un._tid
							       : 0;
}

static void make_virtual(clockid_t clock, const struct sigevent *event, timer_t timer, int sig)
{
	bool thread = event && event->sigev_notify == SIGEV_THREAD;
	struct frt_timer_event *e =
	    frt_ctl_timer_make(thread ? FRT_TIMER_THREAD : FRT_TIMER_POSIX, (uintptr_t)timer);

	if (!e)
		return;
	*e = (struct frt_timer_event){.sig = sig, .tid = thread_of(event)};
	if (event)
		e->value = event->sigev_value;
	else
		e->value.sival_ptr = timer;
	if ((uintptr_t)timer < TIMERS)
		clock_of[(uintptr_t)timer] = (uint8_t)((unsigned)clock | (thread ? OF_THREAD : 0));
}

int frt_wrap_timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer)
{
	int r, sig = SIGALRM;

	if (event && event->sigev_notify == SIGEV_THREAD)
		frt_unmodelled("timer_create");
	if (event)
		sig = event->sigev_notify == SIGEV_SIGNAL || event->sigev_notify == SIGEV_THREAD_ID
			  ? event->sigev_signo
			  : 0;
	r = REAL(timer_create)(clock, event, timer);
	if (r == 0 && (uintptr_t)*timer < TIMERS)
		atomic_store(&signal_of[(uintptr_t)*timer], (uint8_t)sig);
	if (r == 0 && controlled() && on_virtual_clock(clock))
		make_virtual(clock, event, *timer, sig);
	return r;
}

static enum frt_timer_kind kind_of(timer_t timer)
{
	return (uintptr_t)timer < TIMERS && clock_of[(uintptr_t)timer] & OF_THREAD
		   ? FRT_TIMER_THREAD
		   : FRT_TIMER_POSIX;
}

/* The virtual time of the first expiry, 0: none. */
static uint64_t first_expiry(clockid_t clock, bool absolute, const struct timespec *ts)
{
	if (!is_set(ts->tv_sec, ts->tv_nsec))
		return 0;
	return absolute ? frt_ctl_until(clock, ts) : virtual_now() + frt_from_timespec(ts);
}

static bool valid_spec(const struct itimerspec *to)
{
	return to && to->it_value.tv_sec >= 0 && to->it_value.tv_nsec >= 0 &&
	       to->it_value.tv_nsec < (long)SECOND && to->it_interval.tv_sec >= 0 &&
	       to->it_interval.tv_nsec >= 0 && to->it_interval.tv_nsec < (long)SECOND;
}

/* The setting for the kernel: the same, from now on, in real time. */
static struct itimerspec in_kernel(const struct itimerspec *to, uint64_t until)
{
	uint64_t left = until ? frt_ctl_left(until) + 1 : 0;

	return (struct itimerspec){to->it_interval, to_timespec(left)};
}

int frt_wrap_timer_settime(timer_t timer, int flags, const struct itimerspec *restrict to,
			   struct itimerspec *restrict was)
{
	uint64_t until, left, interval;

	if (to && is_set(to->it_value.tv_sec, to->it_value.tv_nsec) && (uintptr_t)timer < TIMERS)
		will_send(atomic_load(&signal_of[(uintptr_t)timer]));
	if (!controlled() || !valid_spec(to) ||
	    !frt_ctl_timer_left(kind_of(timer), (uintptr_t)timer, &left, &interval))
		return REAL(timer_settime)(timer, flags, to, was);
	if (was)
		*was = (struct itimerspec){to_timespec(interval), to_timespec(left)};
	until = first_expiry((uintptr_t)timer < TIMERS ? clock_of[(uintptr_t)timer] & ~OF_THREAD
						       : CLOCK_REALTIME,
			     flags & TIMER_ABSTIME, &to->it_value);
	frt_ctl_timer_set(kind_of(timer), (uintptr_t)timer, until,
			  frt_from_timespec(&to->it_interval));
	if (kind_of(timer) == FRT_TIMER_THREAD) {
		struct itimerspec now = in_kernel(to, until);

		return REAL(timer_settime)(timer, 0, &now, NULL);
	}
	return 0;
}

int frt_wrap_timer_gettime(timer_t timer, struct itimerspec *now)
{
	uint64_t left, interval;

	if (!controlled() ||
	    !frt_ctl_timer_left(kind_of(timer), (uintptr_t)timer, &left, &interval))
		return REAL(timer_gettime)(timer, now);
	*now = (struct itimerspec){to_timespec(interval), to_timespec(left)};
	return 0;
}

int frt_wrap_timer_delete(timer_t timer)
{
	if (controlled())
		frt_ctl_timer_drop(kind_of(timer), (uintptr_t)timer);
	return REAL(timer_delete)(timer);
}

/* ---- descriptors; the wrappers are in wrap_kernel.c ---- */

static uint8_t clock_of_fd[1024]; /* under a schedule */

int frt_wrap_timerfd_create(clockid_t clock, int flags)
{
	int fd = REAL(timerfd_create)(clock, flags);

	frt_key_made(fd);
	if (fd >= 0 && controlled() && on_virtual_clock(clock)) {
		frt_ctl_timer_make(FRT_TIMER_FD, (uintptr_t)fd);
		if (fd < (int)sizeof(clock_of_fd))
			clock_of_fd[fd] = (uint8_t)clock;
	}
	return fd;
}

int frt_timerfd_set(int fd, int flags, const struct itimerspec *to, struct itimerspec *was)
{
	uint64_t until, left, interval;
	struct itimerspec now;

	if (!controlled() || !valid_spec(to) || fd < 0 ||
	    !frt_ctl_timer_left(FRT_TIMER_FD, (uintptr_t)fd, &left, &interval))
		return REAL(timerfd_settime)(fd, flags, to, was);
	if (was)
		*was = (struct itimerspec){to_timespec(interval), to_timespec(left)};
	until = first_expiry(fd < (int)sizeof(clock_of_fd) ? clock_of_fd[fd] : CLOCK_MONOTONIC,
			     flags & TFD_TIMER_ABSTIME, &to->it_value);
	frt_ctl_timer_set(FRT_TIMER_FD, (uintptr_t)fd, until, frt_from_timespec(&to->it_interval));
	now = in_kernel(to, until);
	return REAL(timerfd_settime)(fd, flags & ~TFD_TIMER_ABSTIME, &now, NULL);
}

int frt_timerfd_get(int fd, struct itimerspec *now)
{
	uint64_t left, interval;

	if (!controlled() || fd < 0 ||
	    !frt_ctl_timer_left(FRT_TIMER_FD, (uintptr_t)fd, &left, &interval))
		return REAL(timerfd_gettime)(fd, now);
	*now = (struct itimerspec){to_timespec(interval), to_timespec(left)};
	return 0;
}
