/*
 * Children: a thread that learns of the end of a child comes after the thread that made the child,
 * and after one that sent it a signal. The key for both is SIGCHLD, which fork counts as sent
 * (wrap_process.c).
 * Not handled: data that passes through a child. A re-execution has the same child and shows that
 * order.
 */
#include "runtime/core/rt_input.h"
#include "runtime/core/kernel.h"
#include "runtime/core/rt_stream.h"
#include "wrap.h"
#include <spawn.h>
#include <sys/wait.h>

/* The call reported a child. */
static pid_t ended(pid_t r)
{
	struct frt_thread *t = frt_asking();

	if (t)
		frt_take(t, SIGCHLD);
	return r;
}

pid_t frt_wrap_waitpid(pid_t pid, int *status, int options)
{
	return ended(REAL(waitpid)(pid, status, options));
}

pid_t frt_wrap_wait(int *status)
{
	return ended(REAL(waitpid)(-1, status, 0));
}

pid_t frt_wrap_wait3(int *status, int options, struct rusage *usage)
{
	return ended(REAL(wait3)(status, options, usage));
}

pid_t frt_wrap_wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	return ended(REAL(wait4)(pid, status, options, usage));
}

int frt_wrap_waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	return ended(REAL(waitid)(type, id, info, options));
}

static void begins(void)
{
	frt_signal_sent(SIGCHLD, frt_signal_sends(SIGCHLD, false));
}

#define SPAWN(name)                                                                             \
	int frt_wrap_##name(pid_t *restrict pid, const char *restrict path,                     \
			    const posix_spawn_file_actions_t *restrict actions,                 \
			    const posix_spawnattr_t *restrict attr, char *const argv[restrict], \
			    char *const envp[restrict])                                         \
	{                                                                                       \
		begins();                                                                       \
		return REAL(name)(pid, path, actions, attr, argv, envp);                        \
	}

SPAWN(posix_spawn)
SPAWN(posix_spawnp)
