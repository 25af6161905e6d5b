/*
 * Signals of controlled programs: handlers run where the schedule places them, and only in the
 * thread that has the turn.
 *
 * Meaning:   a signal from outside (a timer, kill, another thread) is kept if it comes where the
 *            schedule has no handler. Where the recorded run began a handler, the controller begins
 *            it whether or not the signal has come. If the signal comes later, it is dropped. But a
 *            signal of a child must come first: the child may wait for a step that the schedule has
 *            not reached yet. If it does not come, the world differs. If the thread got answers
 *            from outside between its last hook and the handler, it gets them first. In the free
 *            stage, the thread that a signal reached handles it when it has the turn, together with
 *            its kept signals.
 * Process:   the kernel gives a signal for the whole process to the sender or to another thread,
 *            whichever is faster. Where the recorded run always did the same, the controller does
 *            that. A recording in a fixed order takes the first thread that does not block it.
 * Faults:    SIGSEGV and the like come from the thread itself and are never kept.
 */
#include "ctl_ghost.h"
#include "ctl_input.h"
#include "ctl_timer.h"
#include "ctl_turn.h"
#include "runtime/core/real.h"
#include <stdatomic.h>
#include <sys/syscall.h>

static _Atomic uint64_t kept[FR_POOL_MAX_THREADS]; /* kept signals of each thread, one bit each */
static _Atomic uint32_t early[65];		   /* signals that were handled before they came */

#define FIRST_QUEUED 32 /* signals from this number on can be pending several times */

/* The siginfo of kept signals, for example a value from the sender. A signal for which there is no
   room is delivered without it. */
#define INFOS 256
static struct {
	_Atomic uint32_t id; /* thread id, 0: free; BUSY: being written */
	siginfo_t info;
} infos[INFOS];
#define BUSY UINT32_MAX

static void keep_info(uint32_t id, const siginfo_t *info)
{
	for (unsigned i = 0; i < INFOS; i++) {
		uint32_t none = 0;

		if (!atomic_compare_exchange_strong(&infos[i].id, &none, BUSY))
			continue;
		infos[i].info = *info;
		atomic_store(&infos[i].id, id);
		return;
	}
}

/* Decides by the number alone: a handler without SA_SIGINFO gets no siginfo. */
bool frt_ctl_is_fault(int sig)
{
	return sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL ||
	       sig == SIGTRAP || sig == SIGSYS || sig == SIGABRT;
}

/* Does the thread run the program's code, or sleep in a system call? Otherwise it is about to park:
   the turn may be with another thread already. */
static bool is_out(const struct frt_thread *t)
{
	uint32_t s = frt_ctl_status(frt_ctl_thread(t));

	return s == FR_CTL_RUNNING || s == FR_CTL_AWAY;
}

/* Async-signal-safe, in any thread. */
bool frt_ctl_defer(int sig, const siginfo_t *info)
{
	struct frt_thread *t = frt_self ? frt_self : frt_ctl_parked;

	if (!t || sig < 1 || sig > 64 || frt_ctl_is_fault(sig))
		return false;
	frt_ctl_timer_came(sig);
	if (frt_self && is_out(t) && (frt_ctl_free() || frt_ctl_signal_due(t) == sig))
		return false;
	if (!frt_ctl_take_early(sig)) {
		if (info && !(atomic_load(&kept[t->id - 1]) & UINT64_C(1) << (sig - 1)))
			keep_info(t->id, info);
		atomic_fetch_or(&kept[t->id - 1], UINT64_C(1) << (sig - 1));
	}
	return true;
}

uint32_t frt_ctl_handler_begin(const struct frt_thread *t)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t);
	uint32_t hold;

	if (!frt_controlled())
		return 0;
	c->handlers++;
	hold = c->hold;
	c->hold = 0;
	return hold;
}

void frt_ctl_handler_end(const struct frt_thread *t, uint32_t hold)
{
	if (!frt_controlled())
		return;
	frt_assert(frt_ctl_thread(t)->handlers);
	frt_ctl_thread(t)->handlers--;
	frt_ctl_thread(t)->hold = hold;
}

void frt_ctl_send(uint32_t id, int sig, const siginfo_t *info)
{
	frt_assert(id && id <= FR_POOL_MAX_THREADS);
	if (frt_ctl_take_early(sig))
		return;
	if (info && !(atomic_load(&kept[id - 1]) & UINT64_C(1) << (sig - 1)))
		keep_info(id, info);
	atomic_fetch_or(&kept[id - 1], UINT64_C(1) << (sig - 1));
}

bool frt_ctl_signalled(uint32_t id)
{
	return atomic_load(&kept[id - 1]) != 0;
}

/* If the program has not installed the handler yet, it has not sent the signal yet either. */
static bool has_handler(int sig)
{
	struct sigaction now;

	return sigaction(sig, NULL, &now) == 0 && now.sa_handler != SIG_DFL &&
	       now.sa_handler != SIG_IGN;
}

static void raise_here(const struct frt_thread *t, int sig)
{
	long pid = syscall(SYS_getpid), tid = syscall(SYS_gettid);
	siginfo_t info;

	for (unsigned i = 0; i < INFOS; i++) {
		uint32_t id = t->id;

		if (atomic_load(&infos[i].id) != id || infos[i].info.si_signo != sig ||
		    !atomic_compare_exchange_strong(&infos[i].id, &id, BUSY))
			continue;
		info = infos[i].info;
		atomic_store(&infos[i].id, 0);
		if (!syscall(SYS_rt_tgsigqueueinfo, pid, tid, (long)sig, &info))
			return;
	}
	/* The handler of a timer's signal may read the timer's value. */
	if (!frt_ctl_timer_info(sig, &info) ||
	    syscall(SYS_rt_tgsigqueueinfo, pid, tid, (long)sig, &info) < 0)
		syscall(SYS_tgkill, pid, tid, (long)sig);
}

/* Returns the offset after the key in a file of n bytes; 0: it has no such key. */
static long after(const char *text, long n, const char *key)
{
	for (long i = 0; i < n; i++) {
		long k = 0;

		while (key[k] && i + k < n && text[i + k] == key[k])
			k++;
		if (!key[k])
			return i + k;
	}
	return 0;
}

/* The signals in a line of a thread's status: 16 digits, one bit for each signal. */
static uint64_t signals(const char *text, long n, const char *key)
{
	long at = after(text, n, key);
	uint64_t mask = 0;

	for (long d = 0; at && d < 16 && at + d < n; d++) {
		char c = text[at + d];

		mask = mask << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	}
	return mask;
}

static bool blocks(uint32_t tid, int sig)
{
	char text[2048];
	long n = frt_ctl_task_file(tid, "/status", text, sizeof(text));

	return signals(text, n, "SigBlk:\t") >> (sig - 1) & 1;
}

bool frt_ctl_signal_comes(void)
{
	uint32_t self = (uint32_t)syscall(SYS_gettid);
	char text[2048];

	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++) {
		const struct frt_thread *t = frt_ctl_threads[i].t;
		long have, state;

		if (!t || t->os_tid == self || frt_ctl_status(&frt_ctl_threads[i]) == FR_CTL_OVER)
			continue;
		have = frt_ctl_task_file(t->os_tid, "/status", text, sizeof(text));
		state = after(text, have, "State:\t");
		if ((state && text[state] == 'R') ||
		    (signals(text, have, "SigPnd:\t") | signals(text, have, "ShdPnd:\t")) &
			~signals(text, have, "SigBlk:\t"))
			return true;
	}
	return false;
}

/* The running thread takes over the siginfo of a signal that was kept for another one. */
static void pass_info(uint32_t from, int sig)
{
	for (unsigned i = 0; frt_self && i < INFOS; i++)
		if (atomic_load(&infos[i].id) == from && infos[i].info.si_signo == sig)
			atomic_store(&infos[i].id, frt_self->id);
}

void frt_ctl_claim(int sig)
{
	uint64_t bit = UINT64_C(1) << (sig - 1);

	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (atomic_fetch_and(&kept[i], ~bit) & bit) {
			pass_info(i + 1, sig);
			return;
		}
	if (frt_ctl_timer_take(sig))
		return;
	atomic_fetch_add(&early[sig], 1);
}

/* A timer of the program has expired. The controller chooses the thread
   that handles the signal: the first that does not block it, as the kernel
   does. If there is none, or no handler, the kernel delivers it. */
void frt_ctl_signal_timer(int sig, uint32_t tid)
{
	long pid = syscall(SYS_getpid);
	siginfo_t info;

	for (uint32_t i = 0, n = frt_ctl_count(); has_handler(sig) && i < n; i++) {
		const struct frt_ctl_thread *c = &frt_ctl_threads[i];
		uint32_t s = c->t ? frt_ctl_status(c) : FR_CTL_NONE;

		if ((s != FR_CTL_BLOCKED && s != FR_CTL_READY && s != FR_CTL_RUNNING) ||
		    (tid && c->t->os_tid != tid) || blocks(c->t->os_tid, sig))
			continue;
		frt_ctl_send(i + 1, sig, NULL);
		return;
	}
	if (!frt_ctl_timer_info(sig, &info))
		syscall(SYS_kill, pid, (long)sig);
	else if (tid)
		syscall(SYS_rt_tgsigqueueinfo, pid, (long)tid, (long)sig, &info);
	else
		syscall(SYS_rt_sigqueueinfo, pid, (long)sig, &info);
}

/* Can the thread handle a signal? A handler blocks signals, but it ends. *ret_away: only the kernel
   can tell the thread. */
static bool handles(const struct frt_ctl_thread *c, int sig, bool *ret_away)
{
	uint32_t s = c->t ? frt_ctl_status(c) : FR_CTL_NONE;

	*ret_away = s == FR_CTL_AWAY;
	return (s == FR_CTL_BLOCKED || s == FR_CTL_READY || s == FR_CTL_RUNNING || *ret_away) &&
	       (c->handlers || !blocks(c->t->os_tid, sig));
}

uint32_t frt_ctl_receiver(const struct frt_thread *t, int sig)
{
	uint64_t bit = sig >= 1 && sig < FIRST_QUEUED ? UINT64_C(1) << (sig - 1) : 0;
	bool here = frt_ctl->handled_here & bit, elsewhere = frt_ctl->handled_elsewhere & bit, away;

	if (!bit || frt_ctl_is_fault(sig) || (here && elsewhere) ||
	    (!here && !elsewhere && !frt_ctl->recording))
		return 0;
	if (here)
		return blocks(t->os_tid, sig) ? 0 : t->id;
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (!(elsewhere && i + 1 == t->id) && handles(&frt_ctl_threads[i], sig, &away))
			return away ? 0 : i + 1;
	return 0;
}

bool frt_ctl_take_early(int sig)
{
	uint32_t n;

	frt_assert(sig >= 1 && sig <= 64);
	n = atomic_load(&early[sig]);
	while (n && !atomic_compare_exchange_weak(&early[sig], &n, n - 1))
		;
	return n;
}

void frt_ctl_hand_over(const struct frt_thread *t, const sigset_t *set)
{
	uint64_t bits = atomic_load(&kept[t->id - 1]);

	for (int sig = 1; bits; sig++, bits >>= 1)
		if (bits & 1 && sigismember(set, sig) == 1) {
			atomic_fetch_and(&kept[t->id - 1], ~(UINT64_C(1) << (sig - 1)));
			raise_here(t, sig);
		}
}

void frt_ctl_sent(int sig)
{
	/* A thread that waits for descriptors may wait for signals (signalfd). Other threads cannot
	   see a signal that is pending for that thread alone. */
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (frt_ctl_threads[i].fds)
			frt_ctl_ready(&frt_ctl_threads[i]);
	frt_ctl_release((void *)(uintptr_t)sig);
}

/* True if calls that this handler interrupts continue after it, where the call allows that. */
static bool restarts(int sig)
{
	struct sigaction now;

	return sigaction(sig, NULL, &now) == 0 && now.sa_flags & SA_RESTART;
}

static bool is_kept(int sig)
{
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (atomic_load(&kept[i]) >> (sig - 1) & 1)
			return true;
	return false;
}

/* Waits until a child has sent the signal that is due. The handler may run meanwhile. */
static void wait_for_child(struct frt_thread *t, int sig)
{
	struct frt_ctl_wait w = {0};

	while (frt_ctl_child_due(t) && !is_kept(sig) && frt_ctl_child_may_send(t, &w))
		;
}

bool frt_ctl_deliver(struct frt_thread *t)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t);
	uint64_t bits;
	int sig;

	if (!frt_ctl_free()) {
		sig = frt_ctl_signal_due(t);
		if (!sig || !has_handler(sig) || frt_ctl_asks_first(t))
			return false;
		c->restart = restarts(sig);
		wait_for_child(t, sig);
		if (frt_ctl_signal_due(t) != sig)
			return true;
		frt_ctl_claim(sig);
		frt_ctl_ghost_signalled(sig);
		raise_here(t, sig);
		return true;
	}
	bits = atomic_exchange(&kept[t->id - 1], 0);
	if (frt_likely(!bits))
		return false;
	c->restart = true;
	for (sig = 1; sig <= 64; sig++)
		if (bits >> (sig - 1) & 1) {
			c->restart &= restarts(sig);
			raise_here(t, sig);
		}
	return true;
}
