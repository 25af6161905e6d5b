/*
 * Process and thread ids. A program under a schedule gets the recorded ids. Signals that it sends
 * to them, and queries about them, go to the real process and threads.
 * Not handled: names under /proc, and children: fork returns the real id, and a child that asks for
 * its parent gets the real one.
 */
#include "runtime/core/rt_input.h"
#include "wrap.h"

#define ID(name, what)                                            \
	pid_t frt_wrap_##name(void)                               \
	{                                                         \
		pid_t id = REAL(name)();                          \
		struct frt_thread *t = frt_asking();              \
                                                                  \
		return t ? (pid_t)frt_input_id(t, what, id) : id; \
	}

ID(getpid, FR_INPUT_PID)
ID(getppid, FR_INPUT_PPID)
ID(gettid, FR_INPUT_TID)

int frt_wrap_kill(pid_t pid, int sig)
{
	bool own = pid > 0 && frt_input_real_id(pid) == getpid(), held = false;
	uint32_t to = own ? frt_signal_receiver(sig) : 0;
	int r;

	if (pid <= 0 || own) /* the signal may be for this process */
		held = frt_signal_sends(sig, !to || to == frt_self->id);
	if (to) {
		r = frt_signal_to(to, sig);
		frt_signal_sent(sig, held);
		return r;
	}
	frt_signal_raises(sig);
	/* -1 is every process; below that, a group. */
	r = REAL(kill)(pid < -1 ? -frt_input_real_id(-pid) : frt_input_real_id(pid), sig);
	frt_signal_raises(0);
	frt_signal_sent(sig, held);
	return r;
}

int frt_wrap_killpg(pid_t group, int sig)
{
	bool held = frt_signal_sends(sig, true);
	int r = REAL(killpg)(frt_input_real_id(group), sig);

	frt_signal_sent(sig, held);
	return r;
}

int frt_wrap_tgkill(pid_t pid, pid_t tid, int sig)
{
	bool held = frt_signal_sends(sig, true);
	int r = REAL(tgkill)(frt_input_real_id(pid), frt_input_real_id(tid), sig);

	frt_signal_sent(sig, held);
	return r;
}

int frt_wrap_sigqueue(pid_t pid, int sig, union sigval value)
{
	bool held = false;
	int r;

	if (frt_input_real_id(pid) == getpid())
		held = frt_signal_sends(sig, true);
	r = REAL(sigqueue)(frt_input_real_id(pid), sig, value);
	frt_signal_sent(sig, held);
	return r;
}

/* ---- other calls that take an id; 0 is the caller ---- */

#define OF_ID(ret, name, id, params, args)       \
	ret frt_wrap_##name params               \
	{                                        \
		id = frt_input_real_id((int)id); \
		return REAL(name) args;          \
	}

OF_ID(int, sched_setscheduler, pid, (pid_t pid, int policy, const struct sched_param *p),
      (pid, policy, p))
OF_ID(int, sched_getscheduler, pid, (pid_t pid), (pid))
OF_ID(int, sched_setparam, pid, (pid_t pid, const struct sched_param *p), (pid, p))
OF_ID(int, sched_getparam, pid, (pid_t pid, struct sched_param *p), (pid, p))
OF_ID(pid_t, getpgid, pid, (pid_t pid), (pid))
OF_ID(pid_t, getsid, pid, (pid_t pid), (pid))

int frt_wrap_setpgid(pid_t pid, pid_t group)
{
	return REAL(setpgid)(frt_input_real_id(pid), frt_input_real_id(group));
}

int frt_wrap_setpriority(__priority_which_t which, id_t who, int priority)
{
	if (which != PRIO_USER)
		who = (id_t)frt_input_real_id((int)who);
	return REAL(setpriority)(which, who, priority);
}

int frt_wrap_getpriority(__priority_which_t which, id_t who)
{
	if (which != PRIO_USER)
		who = (id_t)frt_input_real_id((int)who);
	return REAL(getpriority)(which, who);
}
