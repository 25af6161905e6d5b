/* See own_pipe.h. */
#include "process/own_pipe.h"
#include "base/assert.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool fr_pipe_name(pid_t pid, int fd, char ret[FR_PIPE_NAME])
{
	char path[64], link[FR_PIPE_NAME];
	ssize_t n;

	fr_assert(pid > 0);
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
	n = readlink(path, link, sizeof(link) - 1);
	link[n > 0 ? n : 0] = 0;
	memcpy(ret, link, sizeof(link));
	return !strncmp(link, "pipe:[", 6);
}

/* Has the process the pipe open, or may it have? */
static bool may_have(const char *pid, const char *name)
{
	char path[64], link[FR_PIPE_NAME];
	bool has = false;
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%.16s/fd", pid);
	d = opendir(path);
	if (!d)
		return errno != ENOENT && errno != ESRCH; /* it has ended */
	while (!has && (e = readdir(d))) {
		ssize_t n = readlinkat(dirfd(d), e->d_name, link, sizeof(link) - 1);

		link[n > 0 ? n : 0] = 0;
		has = !strcmp(link, name);
	}
	closedir(d);
	return has;
}

bool fr_pipe_is_own(pid_t pid, const char *name)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	bool own = d;

	while (d && own && (e = readdir(d)))
		own = !isdigit((unsigned char)*e->d_name) || atoi(e->d_name) == pid ||
		      !may_have(e->d_name, name);
	if (d)
		closedir(d);
	return own;
}
