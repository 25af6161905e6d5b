/*
 * Orphans. A process belongs to a re-execution if its environment names the re-execution's pool:
 * all descendants inherit that setting. Killing a process makes orphans of its children, so the
 * kill repeats until there are none.
 *
 * Not handled: a process that was started with another environment and left the process group.
 */
#include "confirm/end_orphans.h"
#include "base/assert.h"
#include "base/interrupt.h"
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

#define ROUNDS 1000   /* generations to kill: the program may start them as fast */
#define PATIENCE 2000 /* milliseconds for processes that cannot be classified */
#define SWEEPS 4      /* samples without a hit before a sweep ends, 0.1 s in all */
#define CALM 15	      /* samples without a hit before it ends, over a second in all */

/* Reads a file of /proc and adds a NUL; NULL = gone. */
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

/* Is s a pool setting of process `tool`? "FORERUN_POOL=////proc/12/fd/3" is one of process 12. */
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

/* During an exec, a process has neither environment nor arguments. */
static bool in_exec(pid_t pid)
{
	FR_CLEANUP(fr_freep) char *args = NULL;
	char path[64];
	size_t n = 0;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	args = slurp(path, &n);
	return args && !n;
}

static bool is_zombie(pid_t pid)
{
	FR_CLEANUP(fr_freep) char *stat = NULL;
	char path[64], *p;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	stat = slurp(path, &n);
	p = stat ? strrchr(stat, ')') : NULL;
	return !p || p[1] != ' ' || p[2] == 'Z' || p[2] == 'X';
}

/* Does the process have the setting, or any pool of the tool? UNSURE: it is in the middle of an
   exec, and nothing can be read. */
enum belongs { NO, YES, UNSURE };

static enum belongs belongs(pid_t pid, const char *setting, pid_t tool)
{
	FR_CLEANUP(fr_freep) char *env = NULL;
	char path[64];
	size_t n = 0;

	fr_assert(pid > 1 && (setting || tool > 0));
	snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
	env = slurp(path, &n);
	if (env && !n) { /* an exec may have removed it during the read */
		free(env);
		env = slurp(path, &n);
	}
	for (char *s = env; env && s < env + n; s += strlen(s) + 1)
		if (setting ? !strcmp(s, setting) : of_tool(s, tool))
			return YES;
	/* An exiting process has no memory any more, but still has its children. */
	return (!env || (!n && in_exec(pid))) && !is_zombie(pid) ? UNSURE : NO;
}

/* Any other setting would match processes of the user. */
static bool names_pool(const char *setting)
{
	return strncmp(setting, FR_ENV_POOL "=/", strlen(FR_ENV_POOL "=/")) == 0;
}

void fr_orphans_adopt(void)
{
	fr_interrupt_shield();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* Lists the children of all threads of this process. */
static void list_children(struct fr_buf *out)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *d;

	while (tasks && (d = readdir(tasks))) {
		FR_CLEANUP(fr_freep) char *text = NULL;
		char path[300];
		size_t n = 0;

		if (d->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%s/children", d->d_name);
		text = slurp(path, &n);
		if (text)
			fr_buf_add(out, text, n);
	}
	if (tasks)
		closedir(tasks);
	fr_buf_add(out, "", 1);
}

bool fr_orphans_alive(const char *setting, pid_t but)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf list = {0};
	char *end;

	fr_assert(names_pool(setting));
	list_children(&list);
	for (const char *s = list.s; *s; s = end) {
		pid_t pid = (pid_t)strtol(s, &end, 10);

		if (end == s)
			break;
		if (pid > 1 && pid != but && belongs(pid, setting, 0) == YES && !is_zombie(pid))
			return true;
	}
	return false;
}

/* Kills the listed children with this setting. True: there may be more. */
static bool end_children(const char *list, const char *setting, unsigned *patience)
{
	bool more = false;
	char *end;

	for (const char *s = list; *s; s = end) {
		pid_t pid = (pid_t)strtol(s, &end, 10);
		enum belongs b;

		if (end == s)
			break;
		b = pid > 1 ? belongs(pid, setting, 0) : NO;
		if (b == YES && kill(pid, SIGKILL) == 0) {
			waitpid(pid, NULL, 0);
			more = true;
		}
		if (b == UNSURE && *patience) {
			--*patience;
			usleep(1000);
			more = true;
		}
	}
	return more;
}

/* Repeats until a round kills nothing and the list of children stays the same: a process that ends
   by itself meanwhile also leaves its children to us. */
void fr_orphans_end(const char *setting)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf last = {0};
	unsigned patience = PATIENCE;
	bool more = true;

	fr_assert(names_pool(setting));
	for (unsigned round = 0; more && round < ROUNDS; round++) {
		struct fr_buf now = {0};

		list_children(&now);
		more = end_children(now.s, setting, &patience) ||
		       (now.n > 1 && (!last.s || strcmp(last.s, now.s) != 0));
		fr_buf_free(&last);
		last = now;
	}
}

/* Kills all processes with the setting, or with any pool of the tool, wherever they are. */
static unsigned end_all_of(const char *setting, pid_t tool)
{
	DIR *proc = opendir("/proc");
	unsigned ended = 0;
	struct dirent *d;

	while (proc && (d = readdir(proc))) {
		pid_t pid = (pid_t)atoi(d->d_name);

		if (pid > 1 && pid != getpid() && belongs(pid, setting, tool) == YES)
			ended += kill(pid, SIGKILL) == 0;
	}
	if (proc)
		closedir(proc);
	return ended;
}

void fr_orphans_sweep(const char *setting)
{
	fr_assert(names_pool(setting));
	for (unsigned round = 0, calm = 0; round < ROUNDS && calm < SWEEPS; round++) {
		calm = end_all_of(setting, 0) ? 0 : calm + 1;
		usleep(10000 * calm); /* a process in the middle of an exec is not found */
	}
}

/* ---- when forerun is killed ---- */

static _Noreturn void keep(int line, pid_t tool)
{
	char c;
	ssize_t n;

	/* Leave the tool's group and terminal, and close our copies of its descriptors, for which
	   others may wait. */
	setsid();
	if (line > 0)
		close_range(0, (unsigned)line - 1, 0);
	close_range((unsigned)line + 1, ~0U, 0);
	while ((n = read(line, &c, 1)) < 0 && errno == EINTR)
		;
	for (unsigned round = 0, calm = 0; !n && round < ROUNDS && calm < CALM; round++) {
		calm = end_all_of(NULL, tool) ? 0 : calm + 1;
		usleep(10000 * (calm + 1)); /* a process in the middle of an exec is not found */
	}
	_exit(0);
}

void fr_reaper_start(struct fr_reaper *k)
{
	pid_t tool = getpid();
	int line[2];

	*k = (struct fr_reaper){.line = -1};
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

void fr_reaper_stop(struct fr_reaper *k)
{
	if (k->pid <= 0)
		return;
	fr_assert(k->line >= 0);
	kill(k->pid, SIGKILL);
	while (waitpid(k->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(k->line);
	k->pid = 0;
}
