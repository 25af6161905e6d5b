/* See terminal_wait.h. Trusts nothing that the program has in its memory. */
#include "process/terminal_wait.h"
#include "base/assert.h"
#include "base/mem.h"
#include "process/task.h"
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#define MOST 256 /* descriptors of a poll that are examined */
#define DEPTH 4	 /* children of children, and so on */
_Static_assert(FD_SETSIZE % 64 == 0, "a set is whole words");

struct asked {
	pid_t pid;
	dev_t terminal;
};

static bool is_terminal(const struct asked *a, int fd)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)a->pid, fd);
	return stat(path, &st) == 0 && S_ISCHR(st.st_mode) &&
	       (st.st_rdev == a->terminal || st.st_rdev == makedev(5, 0)); /* /dev/tty */
}

/* Is it the terminal, or does it wait for the terminal, as an epoll descriptor? */
static bool leads_there(const struct asked *a, int fd)
{
	char path[64], line[256];
	bool yes = is_terminal(a, fd);
	FILE *f;
	int to;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", (int)a->pid, fd);
	f = yes ? NULL : fopen(path, "re");
	while (f && !yes && fgets(line, sizeof(line), f))
		yes = sscanf(line, "tfd: %d", &to) == 1 && is_terminal(a, to);
	if (f)
		fclose(f);
	return yes;
}

static bool polls(const struct asked *a, const struct fr_task_call *c)
{
	struct pollfd fds[MOST];
	size_t n = fr_min(c->arg[1], (uint64_t)MOST);

	if (!n || !fr_task_memory(a->pid, c->arg[0], fds, n * sizeof(*fds)))
		return false;
	for (size_t i = 0; i < n; i++)
		if (fds[i].events & POLLIN && leads_there(a, fds[i].fd))
			return true;
	return false;
}

static bool selects(const struct asked *a, const struct fr_task_call *c)
{
	fd_set set;
	size_t n = fr_min(c->arg[0], (uint64_t)FD_SETSIZE);

	FD_ZERO(&set);
	fr_assert((n + 63) / 64 * 8 <= sizeof(set));
	if (!n || !fr_task_memory(a->pid, c->arg[1], &set, (n + 63) / 64 * 8))
		return false;
	for (size_t i = 0; i < n; i++)
		if (FD_ISSET(i, &set) && leads_there(a, (int)i))
			return true;
	return false;
}

static enum fr_asks thread_asks(const struct asked *a, uint32_t tid, unsigned depth);

/* The answers of the children of a thread that waits for one of them. */
static enum fr_asks children_ask(const struct asked *a, uint32_t tid, unsigned depth)
{
	char text[FR_TASK_TEXT];
	enum fr_asks r = FR_ASKS_NO;
	size_t at = 0;
	pid_t child;

	fr_assert(depth <= DEPTH);
	if (!depth || !*fr_task_file(a->pid, tid, "children", text))
		return FR_ASKS_MAYBE;
	while ((child = fr_task_child(text, &at)))
		r = fr_max(r, thread_asks(&(struct asked){child, a->terminal}, (uint32_t)child,
					  depth - 1));
	return r;
}

static enum fr_asks thread_asks(const struct asked *a, uint32_t tid, unsigned depth)
{
	struct fr_task_call c;
	bool yes = false;

	if (!fr_task_asleep(a->pid, tid))
		return FR_ASKS_NO;
	switch (fr_task_call(a->pid, tid, &c)) {
	case -1:
		return FR_ASKS_MAYBE;
	case 0:
		return FR_ASKS_NO;
	}
	switch (c.number) {
	case SYS_read:
	case SYS_readv:
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
	case SYS_epoll_pwait2:
		yes = c.arg[0] <= INT_MAX && leads_there(a, (int)c.arg[0]);
		break;
	case SYS_poll:
	case SYS_ppoll:
		yes = polls(a, &c);
		break;
	case SYS_select:
	case SYS_pselect6:
		yes = selects(a, &c);
		break;
	case SYS_wait4:
	case SYS_waitid:
		return children_ask(a, tid, depth);
	case SYS_futex: /* for another thread, perhaps only for its turn */
	case SYS_ioctl: /* a change of the terminal's mode may discard input */
	case SYS_write:
	case SYS_writev:
		return FR_ASKS_NO;
	}
	return yes ? FR_ASKS_YES : FR_ASKS_MAYBE;
}

enum fr_asks fr_thread_asks(pid_t pid, uint32_t tid, int terminal)
{
	struct stat st;

	fr_assert(pid > 0 && tid && terminal >= 0);
	if (fstat(terminal, &st) < 0)
		return FR_ASKS_NO;
	return thread_asks(&(struct asked){pid, st.st_rdev}, tid, DEPTH);
}
