/* See ghost.h. Starting and ending; ghost_play.c is the process itself. */
#include "process/ghost.h"
#include "base/assert.h"
#include "base/mem.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child, which shares the memory of the tool: enters the box and becomes the ghost. */
static int become(const struct fr_ghost_how *how, int exe, int null)
{
	static char *const argv[] = {(char *)"forerun", (char *)FR_GHOST_COMMAND, NULL};
	static char *const env[] = {NULL};
	int flags = CLONE_NEWNS | CLONE_NEWNET | (how->user ? CLONE_NEWUSER : 0);
	int file, peers;
	sigset_t none;

	if (setns(how->program, flags) < 0)
		return errno;
	file = fcntl(how->file, F_DUPFD, 10);
	peers = fcntl(how->peers, F_DUPFD, 10);
	if (dup2(file, 3) < 0 || dup2(peers, 4) < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0)
		return errno;
	close(file);
	close(peers);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	syscall(SYS_execveat, exe, "", argv, env, AT_EMPTY_PATH);
	return errno;
}

int fr_ghost_start(const struct fr_ghost_how *how, pid_t *ret)
{
	FR_CLEANUP(fr_closep) int exe = open("/proc/self/exe", O_PATH | O_CLOEXEC);
	FR_CLEANUP(fr_closep) int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	volatile int failed = 0;
	sigset_t all, old;
	pid_t pid;

	fr_assert(how->program >= 0 && how->file >= 0 && how->peers >= 0);
	if (exe < 0 || null < 0)
		return -errno;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pid = vfork();
	if (!pid) {
		failed = become(how, exe, null);
		_exit(127);
	}
	if (pid < 0)
		failed = errno;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	fr_assert(failed || pid > 0);
	if (!failed)
		*ret = pid;
	else if (pid > 0)
		waitpid(pid, NULL, 0);
	return -failed;
}

void fr_ghost_stop(pid_t pid)
{
	if (pid <= 0)
		return;
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

bool fr_ghost_gone(pid_t pid)
{
	siginfo_t info = {0};

	return pid > 0 && (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
			   info.si_pid == pid);
}
