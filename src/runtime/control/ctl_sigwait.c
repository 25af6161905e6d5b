/*
 * Waits for signals under a schedule.
 *
 * A wait returns the signal that it returned in the recorded run. A signal that the program itself
 * sent must have been sent, otherwise the thread waits: pending signals of one number merge into
 * one if no thread fetches them in time. A signal that a child sent comes from the same child
 * again. A signal from elsewhere counts as arrived, because nobody would send it again. If it does
 * arrive later, it is dropped. In the free stage a waiting thread is parked until a signal for it
 * arrives (ctl_await.c).
 * Not handled: the siginfo_t of a signal from outside is zero.
 */
#include "ctl_input.h"
#include "ctl_turn.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>

#define HIGH_FD 1000 /* the runtime's descriptors start here, apart from the program's */

static bool process_sent(const siginfo_t *info)
{
	return info->si_code == SI_USER || info->si_code == SI_TKILL || info->si_code == SI_QUEUE;
}

bool frt_ctl_sent_here(const siginfo_t *info)
{
	return process_sent(info) && info->si_pid == getpid();
}

/* Does the terminal send this signal? */
static bool of_terminal(int sig)
{
	return sig == SIGHUP || sig == SIGINT || sig == SIGQUIT || sig == SIGTSTP ||
	       sig == SIGCONT || sig == SIGWINCH;
}

unsigned frt_ctl_sender(const siginfo_t *info)
{
	bool child = info->si_signo == SIGCHLD && info->si_code > 0;

	if (!child && !process_sent(info))
		return info->si_code == SI_KERNEL && of_terminal(info->si_signo) ? FR_SIGNAL_OUTSIDE
										 : 0;
	if (frt_ctl_sent_here(info))
		return 0;
	return child || frt_ctl_is_child(info->si_pid) ? FR_SIGNAL_CHILD : FR_SIGNAL_OUTSIDE;
}

static uint64_t nanoseconds(const struct timespec *ts)
{
	if (!ts)
		return FRT_FOREVER;
	return ts->tv_sec < 0 || ts->tv_nsec < 0
		   ? 0
		   : (uint64_t)ts->tv_sec * 1000000000 + (uint64_t)ts->tv_nsec;
}

/* Fetches a pending signal. */
static int fetch(struct frt_thread *t, const sigset_t *set, siginfo_t *info)
{
	static const struct timespec now;

	frt_ctl_hand_over(t, set);
	return sigtimedwait(set, info, &now);
}

/* Repeats the recorded result. */
static int again(struct frt_thread *t, int64_t was, uint64_t which, siginfo_t *info)
{
	struct frt_ctl_wait wait = {0};
	int sig = (int)was;
	sigset_t one;

	if (was <= 0) {
		errno = (int)-was;
		return -1;
	}
	sigemptyset(&one);
	sigaddset(&one, sig);
	while (fetch(t, &one, info) != sig) {
		if (which & FRT_SENT_BY_CHILD && frt_ctl_child_may_send(t, &wait))
			continue;
		if (!(which & FRT_SENT_HERE)) {
			frt_ctl_claim(sig);
			*info = (siginfo_t){.si_signo = sig, .si_code = SI_KERNEL};
			break;
		}
		if (frt_ctl_cancelled(t))
			pthread_testcancel();
		frt_ctl_block(t, FR_EV_USER_ACQUIRE, (void *)(uintptr_t)sig, NULL);
	}
	return sig;
}

/* Waits in the free stage. */
static int parked(struct frt_thread *t, const sigset_t *set, siginfo_t *info, uint64_t ns)
{
	struct pollfd p = {.events = POLLIN};
	int low = signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK), r;

	frt_assert(frt_ctl_free());
	p.fd = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, HIGH_FD);
	if (p.fd < 0)
		p.fd = low;
	else
		syscall(SYS_close, (long)low);
	for (;;) {
		enum frt_await w = p.fd >= 0 ? frt_ctl_await(t, &p, 1, ns) : FRT_AWAIT_CALL;
		bool handled = w == FRT_AWAIT_HANDLED || w == FRT_AWAIT_INTR;

		r = fetch(t, set, info);
		if (r > 0 && !frt_ctl_sent_here(info) && frt_ctl_take_early(r))
			continue;
		if (r > 0 || errno != EAGAIN || handled || ns != FRT_FOREVER || p.fd < 0 ||
		    frt_ctl_cancelled(t)) {
			errno = r < 0 && handled ? EINTR : errno;
			break;
		}
	}
	if (p.fd >= 0) {
		int saved = errno;

		syscall(SYS_close, (long)p.fd);
		errno = saved;
	}
	return r;
}

int frt_ctl_sigwait(struct frt_thread *t, const sigset_t *set, siginfo_t *info,
		    const struct timespec *timeout)
{
	uint64_t which;
	int64_t was;
	int r;

	pthread_testcancel();
	if (frt_ctl_recorded(t, FR_INPUT_READY, &was, &which)) {
		if (was == -EAGAIN && timeout)
			frt_ctl_expires(frt_ctl_vtime + nanoseconds(timeout));
		return again(t, was, which, info);
	}
	if (frt_ctl_free()) {
		r = parked(t, set, info, nanoseconds(timeout));
		if (r >= 0 || !frt_ctl_cancelled(t))
			return r;
	}
	return sigtimedwait(set, info, timeout); /* waits outside of control */
}
