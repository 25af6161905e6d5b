/*
 * Signal handlers: in a recorded program they run inside `handle`, which records where they begin
 * and end. The program's queries about its handlers return what it has set.
 *
 * Races:        two threads that set the handler of one signal at the same time each get an answer
 *               that was true at some moment, as without forerun. The kernel decides which handler
 *               stays.
 * Cancellation: libc makes it asynchronous inside calls that block, and a handler that interrupts
 *               one inherits that. A cancellation could then throw the thread out of the middle of
 *               the emitter. So a handler runs with deferred cancellation, and a request that came
 *               meanwhile acts when it is over.
 * Not handled:  handlers set by sigset, which also moves signals to the mask, are not recorded
 *               (counted as not modelled). A handler that leaves by longjmp has no end event.
 */
#include "runtime/core/crash.h"
#include "runtime/core/peer.h"
#include "runtime/core/rt_interrupt.h"
#include "runtime/control/ctl.h"
#include "runtime/control/ctl_input.h"
#include "runtime/core/rt_stream.h"
#include "runtime/tsan/tsan.h"
#include "wrap.h"
#include <stdatomic.h>
#include <sys/syscall.h>

typedef void (*info_handler)(int, siginfo_t *, void *);

/* The program's handler of each signal for which `handle` is installed. */
static _Atomic(info_handler) handlers[NSIG];
/* The program's handler takes a siginfo. */
static _Atomic uint8_t informed[NSIG];

/* Blocks all signals, or none but those that were blocked before. */
static uint64_t mask_all(uint64_t mask)
{
	uint64_t was = 0;

	syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &mask, &was, 8L);
	return was;
}

/* The handler begins: at any point of a recorded run (interrupted), or else between two hooks. */
static void begin(struct frt_thread *t, struct frt_interrupted *interrupted)
{
	uint64_t mask;

	if (!interrupted) {
		frt_ctl_gap(t);
		return;
	}
	mask = mask_all(UINT64_MAX);
	frt_interrupt_begin(t, interrupted);
	mask_all(mask);
}

static void end(struct frt_thread *t, const struct frt_interrupted *interrupted)
{
	uint64_t mask = mask_all(UINT64_MAX);

	frt_interrupt_end(t, interrupted);
	mask_all(mask);
}

static void handle(int sig, siginfo_t *info, void *context)
{
	struct frt_thread *t = frt_self;
	info_handler h = atomic_load(&handlers[sig]);
	struct frt_interrupted interrupted;
	struct frt_aside aside;
	uint64_t pending;
	uint32_t site, inside, hold;
	int type;
	bool own = t && t->raising == (uint32_t)sig;
	unsigned sender;
	bool between = own || frt_controlled() || frt_ctl_is_fault(sig);

	frt_assert(h); /* set before `handle` was installed */
	if (own)
		t->raising = 0; /* the handler may not return */
	else if (frt_controlled() && frt_ctl_defer(sig, info))
		return;
	if (frt_controlled() && atomic_load(&informed[sig]))
		frt_ctl_own_info(info);
	if (!t) {
		h(sig, info, context);
		return;
	}
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
	/* The interrupted wrapper continues to wait after the handler. */
	pending = atomic_load(&t->pending);
	site = t->pending_site;
	inside = t->in_wrapper;
	t->in_wrapper = 0;
	frt_life(t)->signals++;
	hold = frt_ctl_handler_begin(t);
	frt_announced_aside(t, &aside);
	sender = own ? 0 : frt_ctl_sender(info);
	if (sender == FR_SIGNAL_OUTSIDE)
		frt_peer_signal(t, sig);
	begin(t, between ? NULL : &interrupted);
	frt_sync(t, FR_EV_SIGNAL_BEGIN,
		 (own	    ? FR_SIGNAL_OWN
		  : between ? 0
			    : FR_SIGNAL_GAP) |
		     sender,
		 (void *)(uintptr_t)sig);
	h(sig, info, context);
	t = frt_self;
	if (t) { /* the handler has not forked */
		frt_sync(t, FR_EV_SIGNAL_END, 0, (void *)(uintptr_t)sig);
		frt_announced_back(t, &aside);
		if (!between)
			end(t, &interrupted);
		frt_assert(frt_life(t)->signals);
		frt_life(t)->signals--;
		frt_ctl_handler_end(t, hold);
		t->in_wrapper = inside;
		t->pending_site = site;
		atomic_store(&t->pending, pending);
	}
	/* Last: the thread may end here. */
	if (type != PTHREAD_CANCEL_DEFERRED)
		pthread_setcanceltype(type, NULL);
}

static bool ours(const void *handler)
{
	return handler == (void *)handle;
}

static bool is_function(const void *handler)
{
	return handler != (void *)SIG_DFL && handler != (void *)SIG_IGN &&
	       handler != (void *)SIG_ERR && handler != (void *)SIG_HOLD;
}

static bool wanted(int sig, const void *handler)
{
	return frt_pool && sig > 0 && sig < NSIG && is_function(handler) && !ours(handler);
}

int frt_wrap_sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	struct sigaction mine, was;
	info_handler before = NULL;
	bool in = sig > 0 && sig < NSIG, set = act && wanted(sig, (void *)act->sa_sigaction);
	bool was_informed;
	int r;

	if (!in)
		return REAL(sigaction)(sig, act, old);
	if (act && act->sa_handler == SIG_DFL && frt_crash_default(sig))
		act = frt_crash_default(sig);
	before = atomic_load(&handlers[sig]);
	was_informed = atomic_load(&informed[sig]);
	if (set) {
		mine = *act;
		mine.sa_sigaction = handle;
		mine.sa_flags |= SA_SIGINFO; /* who sent the signal? */
		before = atomic_exchange(&handlers[sig], act->sa_sigaction);
		was_informed = atomic_exchange(&informed[sig], (act->sa_flags & SA_SIGINFO) != 0);
		act = &mine;
	}
	r = REAL(sigaction)(sig, act, &was);
	if (r) {
		if (set) {
			atomic_store(&handlers[sig], before);
			atomic_store(&informed[sig], was_informed);
		}
		return r;
	}
	if (ours((void *)was.sa_sigaction)) {
		was.sa_sigaction = before;
		was.sa_flags &= was_informed ? ~0 : ~SA_SIGINFO;
	} else if (frt_crash_is((void *)was.sa_sigaction))
		was = (struct sigaction){.sa_handler = SIG_DFL};
	frt_crash_hide(sig, &was);
	if (old)
		*old = was;
	return 0;
}

#define SIGNAL(name)                                                \
	sighandler_t frt_wrap_##name(int sig, sighandler_t handler) \
	{                                                           \
		return set_plain(sig, handler, REAL(name));         \
	}

static sighandler_t set_plain(int sig, sighandler_t handler,
			      sighandler_t (*real)(int, sighandler_t))
{
	bool in = sig > 0 && sig < NSIG, set = wanted(sig, (void *)handler);
	info_handler before = in ? atomic_load(&handlers[sig]) : NULL;
	struct sigaction now;
	sighandler_t r;

	if (set) {
		before = atomic_exchange(&handlers[sig], (info_handler)(void *)handler);
		atomic_store(&informed[sig], 0);
		handler = (sighandler_t)(void *)handle;
	}
	r = real(sig, handler);
	if (r == SIG_ERR) {
		if (set)
			atomic_store(&handlers[sig], before);
		return r;
	}
	if (set && sigaction(sig, NULL, &now) == 0) {
		now.sa_flags |= SA_SIGINFO;
		sigaction(sig, &now, NULL);
	}
	if (handler == SIG_DFL && frt_crash_default(sig))
		sigaction(sig, frt_crash_default(sig), NULL);
	if (frt_crash_is((void *)r))
		return SIG_DFL;
	return ours((void *)r) ? (sighandler_t)(void *)before : r;
}

SIGNAL(signal)
SIGNAL(bsd_signal)
SIGNAL(ssignal)
SIGNAL(sysv_signal)
SIGNAL(__sysv_signal)

sighandler_t frt_wrap_sigset(int sig, sighandler_t handler)
{
	sighandler_t r;

	frt_unmodelled("sigset");
	r = REAL(sigset)(sig, handler);
	return ours((void *)r) ? (sighandler_t)(void *)atomic_load(&handlers[sig]) : r;
}

/* ---- while a thread is created ---- */

/* True if the thread starts with its own mask, which it then has from its first instruction. */
static bool has_mask(const pthread_attr_t *attr)
{
	sigset_t set;

	return attr && pthread_attr_getsigmask_np(attr, &set) == 0;
}

void frt_signals_hold(struct frt_life *l, const pthread_attr_t *attr)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
	sigset_t set, old;

	_Static_assert(sizeof(l->mask) * 8 >= NSIG - 1, "a bit for each signal");
	l->held = !has_mask(attr);
	if (!l->held)
		return;
	sigfillset(&set);
	for (unsigned i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		sigdelset(&set, faults[i]);
	pthread_sigmask(SIG_BLOCK, &set, &old);
	frt_copy_inline(&l->mask, &old, sizeof(l->mask));
}

void frt_signals_release(const struct frt_life *l)
{
	sigset_t set;

	if (!l->held)
		return;
	sigemptyset(&set);
	frt_copy_inline(&set, &l->mask, sizeof(l->mask));
	pthread_sigmask(SIG_SETMASK, &set, NULL);
}

/* True if a handler of the program will run in this thread before the sending call returns. */
static bool handles(int sig)
{
	struct sigaction now;
	sigset_t blocked;

	return sigaction(sig, NULL, &now) == 0 && ours((void *)now.sa_sigaction) &&
	       pthread_sigmask(SIG_BLOCK, NULL, &blocked) == 0 && !sigismember(&blocked, sig);
}

/* A handler will run because of this signal, in some thread, or a thread that waits for the signal
   continues. Their actions come after those of the sender. Under a schedule the event and the
   sending are one step, unless the handler runs in between. */
bool frt_signal_sends(int sig, bool here)
{
	struct frt_thread *t = frt_self;
	bool held;

	if (!t || sig <= 0 || sig >= NSIG)
		return false;
	held = frt_controlled() && !(here && handles(sig));
	if (held)
		frt_ctl_hold(t);
	frt_sync(t, FR_EV_USER_RELEASE, 0, (void *)(uintptr_t)sig);
	frt_stream_signal(t);
	return held;
}

void frt_signal_sent(int sig, bool from_sends)
{
	int saved = errno;

	if (frt_controlled() && frt_self && sig > 0)
		frt_ctl_sent(sig);
	if (from_sends)
		frt_ctl_settle(NULL);
	errno = saved;
}

void frt_signal_raises(int sig)
{
	struct frt_thread *t = frt_self;

	if (t)
		t->raising = (uint32_t)sig;
}

uint32_t frt_signal_receiver(int sig)
{
	struct frt_thread *t = frt_self;
	struct sigaction now;

	if (!t || !frt_controlled() || sig <= 0 || sig >= NSIG || sigaction(sig, NULL, &now) < 0 ||
	    !ours((void *)now.sa_sigaction))
		return 0;
	return frt_ctl_receiver(t, sig);
}

int frt_signal_to(uint32_t id, int sig)
{
	siginfo_t info = {.si_signo = sig, .si_code = SI_USER};
	int r = 0;

	frt_assert(id && frt_self && frt_controlled());
	info.si_pid = getpid();
	info.si_uid = (uid_t)syscall(SYS_getuid);
	if (id != frt_self->id) {
		frt_ctl_send(id, sig, &info);
		return 0;
	}
	frt_signal_raises(sig);
	r = (int)syscall(SYS_rt_tgsigqueueinfo, (long)info.si_pid, (long)frt_self->os_tid,
			 (long)sig, &info);
	frt_signal_raises(0);
	return r;
}

int frt_wrap_raise(int sig)
{
	int r;

	frt_signal_raises(sig);
	r = REAL(raise)(sig);
	frt_signal_raises(0);
	return r;
}

/* Under a schedule, a handler in another thread runs when that thread has the turn. */
int frt_wrap_pthread_kill(pthread_t to, int sig)
{
	struct frt_thread *t = frt_self;
	struct sigaction now;
	uint32_t id = 0;
	bool held;
	int r = 0;

	if (t && pthread_equal(to, pthread_self()))
		return frt_wrap_raise(sig);
	held = frt_signal_sends(sig, false);
	if (t && frt_controlled() && sig >= 1 && sig <= 64)
		id = frt_handle_find(to);
	if (!id || frt_ctl_over(id) || sigaction(sig, NULL, &now) < 0 || now.sa_sigaction != handle)
		r = REAL(pthread_kill)(to, sig);
	else
		frt_ctl_send(id, sig, NULL);
	frt_signal_sent(sig, held);
	return r;
}

int frt_wrap_pthread_sigqueue(pthread_t to, int sig, const union sigval value)
{
	bool held = frt_signal_sends(sig, true);
	int r = REAL(pthread_sigqueue)(to, sig, value);

	frt_signal_sent(sig, held);
	return r;
}
