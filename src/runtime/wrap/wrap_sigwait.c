/*
 * Waits for signals. A signal that a wait without a handler returns was sent before. If a call of
 * the program sent it, that call released the signal's number (wrap_signal.c, wrap_timer.c), and
 * the wait acquires it. A signal from a process that is no child is marked: it may be the answer to
 * a file that the program wrote (model/load_sync.c). ctl_sigwait.c handles waits under a schedule.
 * A signalfd is a stream: every signal that is sent gives to all of them.
 */
#include "runtime/control/ctl.h"
#include "runtime/control/ctl_input.h"
#include "runtime/control/ctl_timer.h"
#include "runtime/core/rt_input.h"
#include "runtime/core/rt_stream.h"
#include "wrap.h"

/* sigtimedwait; info must not be NULL. */
static int waits(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	struct frt_thread *t = frt_asking();
	unsigned sender;
	int r, saved;
	bool here;

	if (t && frt_controlled())
		r = frt_ctl_sigwait(t, set, info, timeout);
	else
		r = REAL(sigtimedwait)(set, info, timeout);
	t = frt_asking();
	if (!t)
		return r;
	saved = errno;
	here = r > 0 && frt_ctl_sent_here(info);
	sender = r > 0 ? frt_ctl_sender(info) : 0;
	frt_input_result(t, FR_INPUT_READY, r,
			 here			     ? FRT_SENT_HERE
			 : sender == FR_SIGNAL_CHILD ? FRT_SENT_BY_CHILD
						     : 0);
	if (r > 0)
		frt_sync(t, FR_EV_USER_ACQUIRE,
			 sender == FR_SIGNAL_OUTSIDE ? FR_ACQUIRE_OUTSIDE : 0,
			 (void *)(uintptr_t)r);
	if (here && frt_controlled())
		info->si_pid = frt_ctl_told_pid(info->si_pid);
	errno = saved;
	return r;
}

static void wrote(const void *p, size_t n)
{
	struct frt_thread *t = frt_self;

	if (t && p)
		frt_range(t, true, p, n, frt_call_site(t));
}

int frt_wrap_sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
			  const struct timespec *restrict timeout)
{
	siginfo_t own;
	int r;

	if (!frt_asking())
		return REAL(sigtimedwait)(set, info, timeout);
	r = waits(set, info ? info : &own, timeout);
	if (r > 0)
		wrote(info, sizeof(*info));
	return r;
}

int frt_wrap_sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
	return frt_wrap_sigtimedwait(set, info, NULL);
}

int frt_wrap_sigwait(const sigset_t *restrict set, int *restrict sig)
{
	siginfo_t info;
	int r;

	if (!frt_asking())
		return REAL(sigwait)(set, sig);
	do
		r = waits(set, &info, NULL);
	while (r < 0 && errno == EINTR);
	if (r < 0)
		return errno;
	*sig = r;
	wrote(sig, sizeof(*sig));
	return 0;
}

/* Waits in the kernel until a handler has run. Orders nothing by itself: the handler acquires the
   signal. mask: NULL = the present one. */
static int suspend(const sigset_t *mask)
{
	bool lends = frt_controlled() && frt_asking() && frt_ctl_timers_lend();
	int r = mask ? REAL(sigsuspend)(mask) : REAL(pause)(), saved = errno;

	if (lends)
		frt_ctl_timers_from_kernel();
	errno = saved;
	return r;
}

int frt_wrap_sigsuspend(const sigset_t *mask)
{
	return suspend(mask);
}

int frt_wrap_pause(void)
{
	return suspend(NULL);
}

int frt_wrap_signalfd(int fd, const sigset_t *set, int flags)
{
	int from = frt_stream_number(), r = REAL(signalfd)(fd, set, flags);

	frt_stream_numbered(from);
	return r;
}
