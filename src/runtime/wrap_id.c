/*
 * Process and thread ids. A program that runs under a schedule is told the recorded ones; signals
 * that it sends to them go to the process and threads that there are.
 * Not handled: ids in other calls (affinity, priorities, process groups, /proc), and children: fork
 * returns the real id, and a child that asks for its parent gets the real one.
 */
#include "input.h"
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
	/* -1 is everybody; below that, a group. */
	return REAL(kill)(pid < -1 ? -frt_input_real_id(-pid) : frt_input_real_id(pid), sig);
}

int frt_wrap_killpg(pid_t group, int sig)
{
	return REAL(killpg)(frt_input_real_id(group), sig);
}

int frt_wrap_tgkill(pid_t pid, pid_t tid, int sig)
{
	return REAL(tgkill)(frt_input_real_id(pid), frt_input_real_id(tid), sig);
}

int frt_wrap_sigqueue(pid_t pid, int sig, union sigval value)
{
	return REAL(sigqueue)(frt_input_real_id(pid), sig, value);
}
