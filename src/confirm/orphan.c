/*
 * Orphans. A process belongs to a run if its environment names the run's pool: that is inherited by
 * all that a program starts, wherever it goes. Killing one makes orphans of its children, so it is
 * done until there are none. Not handled: a process that was started with another environment and
 * left the process group as well.
 */
#include "confirm/orphan.h"
#include "base/mem.h"
#include "format/pool.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 1000 /* generations that are killed: it may start them as fast */

/* A file of /proc, ended by a NUL; NULL: gone. */
static char *slurp(const char *path, size_t *ret_n)
{
	FR_CLEANUP(fr_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct fr_buf b = {0};
	char block[4096];
	ssize_t n;

	if (fd < 0)
		return NULL;
	while ((n = read(fd, block, sizeof(block))) > 0)
		fr_buf_add(&b, block, (size_t)n);
	*ret_n = b.n;
	fr_buf_add(&b, "", 1);
	return b.s;
}

/* "FORERUN_POOL=////proc/12/fd/3" is a setting of process 12. */
static bool of_tool(const char *s, pid_t tool)
{
	size_t name = strlen(FR_ENV_POOL "=");
	char want[32];

	if (strncmp(s, FR_ENV_POOL "=", name) != 0)
		return false;
	for (s += name; s[0] == '/' && s[1] == '/';)
		s++;
	snprintf(want, sizeof(want), "/proc/%d/fd/", (int)tool);
	return !strncmp(s, want, strlen(want));
}

/* Has it the setting, or any pool of the tool? */
static bool has(pid_t pid, const char *setting, pid_t tool)
{
	FR_CLEANUP(fr_freep) char *env = NULL;
	char path[64];
	size_t n = 0;

	snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
	env = slurp(path, &n);
	for (char *s = env; env && s < env + n; s += strlen(s) + 1)
		if (setting ? !strcmp(s, setting) : of_tool(s, tool))
			return true;
	return false;
}

void fr_orphans_adopt(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static unsigned end_children(const char *list, const char *setting)
{
	FR_CLEANUP(fr_freep) char *text = NULL;
	unsigned ended = 0;
	size_t n;

	text = slurp(list, &n);
	for (char *s = text, *end; text && *s; s = end) {
		pid_t pid = (pid_t)strtol(s, &end, 10);

		if (end == s)
			break;
		if (pid > 1 && has(pid, setting, 0) && kill(pid, SIGKILL) == 0) {
			ended++;
			waitpid(pid, NULL, 0);
		}
	}
	return ended;
}

void fr_orphans_end(const char *setting)
{
	for (unsigned round = 0; round < ROUNDS; round++) {
		DIR *tasks = opendir("/proc/self/task");
		unsigned ended = 0;
		struct dirent *d;

		while (tasks && (d = readdir(tasks))) {
			char path[300];

			snprintf(path, sizeof(path), "/proc/self/task/%s/children", d->d_name);
			if (d->d_name[0] != '.')
				ended += end_children(path, setting);
		}
		if (tasks)
			closedir(tasks);
		if (!ended)
			return;
	}
}

/* ---- when the tool is killed ---- */

static unsigned end_all_of(pid_t tool)
{
	DIR *proc = opendir("/proc");
	unsigned ended = 0;
	struct dirent *d;

	while (proc && (d = readdir(proc))) {
		pid_t pid = (pid_t)atoi(d->d_name);

		if (pid > 1 && pid != getpid() && has(pid, NULL, tool))
			ended += kill(pid, SIGKILL) == 0;
	}
	if (proc)
		closedir(proc);
	return ended;
}

static _Noreturn void keep(int line, pid_t tool)
{
	char c;
	ssize_t n;

	/* Not with the tool's group, nor with its terminal; and nobody waits for our copies of its
	 * descriptors. */
	setsid();
	if (line > 0)
		close_range(0, (unsigned)line - 1, 0);
	close_range((unsigned)line + 1, ~0U, 0);
	while ((n = read(line, &c, 1)) < 0 && errno == EINTR)
		;
	for (unsigned round = 0; !n && round < ROUNDS && end_all_of(tool); round++)
		;
	_exit(0);
}

void fr_keeper_start(struct fr_keeper *k)
{
	pid_t tool = getpid();
	int line[2];

	*k = (struct fr_keeper){.line = -1};
	if (pipe2(line, O_CLOEXEC) < 0)
		return;
	k->pid = fork();
	if (!k->pid) {
		close(line[1]);
		keep(line[0], tool);
	}
	close(line[0]);
	if (k->pid > 0)
		k->line = line[1];
	else
		close(line[1]);
}

void fr_keeper_stop(struct fr_keeper *k)
{
	if (k->pid <= 0)
		return;
	kill(k->pid, SIGKILL);
	while (waitpid(k->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(k->line);
	k->pid = 0;
}
