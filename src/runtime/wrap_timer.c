/*
 * Timers of the program: setting one is sending the signal that it will send, so what follows from
 * the signal comes after that. Switching one off is nothing.
 * Not handled: timers that start threads (counted as not modelled: the threads are not recorded),
 * timerfd, and more timers than the table has room for.
 */
#include "wrap.h"
#include <stdatomic.h>

#define TIMERS 256

static _Atomic uint8_t signal_of[TIMERS]; /* by the kernel's number of the timer; 0: none */

static void will_send(int sig)
{
	frt_signal_sent(sig, frt_signal_sends(sig, false));
}

unsigned frt_wrap_alarm(unsigned s)
{
	if (s)
		will_send(SIGALRM);
	return REAL(alarm)(s);
}

useconds_t frt_wrap_ualarm(useconds_t us, useconds_t again)
{
	if (us)
		will_send(SIGALRM);
	return REAL(ualarm)(us, again);
}

static bool is_set(long s, long part)
{
	return s || part;
}

int frt_wrap_setitimer(__itimer_which_t which, const struct itimerval *restrict to,
		       struct itimerval *restrict was)
{
	if (to && is_set(to->it_value.tv_sec, to->it_value.tv_usec))
		will_send(which == ITIMER_REAL	    ? SIGALRM
			  : which == ITIMER_VIRTUAL ? SIGVTALRM
						    : SIGPROF);
	return REAL(setitimer)(which, to, was);
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
	return r;
}

int frt_wrap_timer_settime(timer_t timer, int flags, const struct itimerspec *restrict to,
			   struct itimerspec *restrict was)
{
	if (to && is_set(to->it_value.tv_sec, to->it_value.tv_nsec) && (uintptr_t)timer < TIMERS)
		will_send(atomic_load(&signal_of[(uintptr_t)timer]));
	return REAL(timer_settime)(timer, flags, to, was);
}
