/*
 * Run folders. Parallel runs never share a number: mkdir is atomic, and only the process that made
 * the folder uses it.
 */
#include "record/folder.h"
#include "base/assert.h"
#include "base/dir.h"
#include "base/mem.h"
#include "base/output.h"
#include "base/message.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT "forerun.d"

/* Returns the number after "PROG." in a name, 0 if it has none. */
static unsigned long number_of(const char *name, const char *base)
{
	size_t n = strlen(base);
	unsigned long v;
	char *end;

	if (strncmp(name, base, n) != 0 || name[n] != '.' || name[n + 1] < '1' || name[n + 1] > '9')
		return 0;
	v = strtoul(name + n + 1, &end, 10);
	return *end ? 0 : v;
}

static unsigned long last_number(int parent, const char *base)
{
	int fd = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	unsigned long last = 0;
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		unsigned long v = number_of(d->d_name, base);

		last = fr_max(last, v);
	}
	if (dir)
		closedir(dir);
	else
		fr_closep(&fd);
	return last;
}

static int make_numbered(const char *program, char **ret, int *ret_fd, struct fr_err *reterr)
{
	const char *slash = strrchr(program, '/'), *base = slash ? slash + 1 : program;
	FR_CLEANUP(fr_closep) int parent = -1;
	struct fr_err why;
	unsigned long last;
	int r = fr_output_enter(DEFAULT, &parent, &why);

	if (r < 0)
		return fr_err_say(reterr, r, "%s (choose another with -o DIR)", why.msg);
	fr_assert(parent >= 0 && *base);
	last = last_number(parent, base);
	for (int tries = 0; tries < 10000; tries++) {
		FR_CLEANUP(fr_freep) char *name = fr_xasprintf("%s.%lu", base, ++last);
		int fd = fr_output_mkdirat(parent, name);

		if (fd >= 0) {
			*ret = fr_xasprintf(DEFAULT "/%s", name);
			*ret_fd = fd;
			return 0;
		}
		if (fd != -EEXIST)
			return fr_err_set(
			    reterr, fd,
			    "cannot create a folder in '%s' (choose another with -o DIR)", DEFAULT);
	}
	return fr_err_say(reterr, -EEXIST, "cannot find a free number in '%s'", DEFAULT);
}

char *fr_folder_plain(const char *given)
{
	char *dir = fr_xstrdup(given);

	for (size_t n = strlen(dir); n > 1 && dir[n - 1] == '/'; n--)
		dir[n - 1] = 0;
	return dir;
}

static int make_named(const char *out, char **ret, int *ret_fd, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *dir = fr_folder_plain(out);
	int r;

	if (!*out)
		return fr_err_say(reterr, -EINVAL, "the name of the run folder is empty");
	r = fr_output_mkdir(dir, ret_fd, reterr);
	if (r == -EEXIST)
		return fr_err_say(reterr, -EEXIST,
				  "'%s' exists already: give another name, or remove it", out);
	if (!r)
		*ret = fr_steal(dir);
	return r;
}

int fr_folder_make(const char *out, const char *program, char **ret, struct fr_err *reterr)
{
	int fd, r;

	r = out ? make_named(out, ret, &fd, reterr) : make_numbered(program, ret, &fd, reterr);
	if (r < 0)
		return r;
	fr_assert(fd >= 0 && **ret);
	fr_dir_enter_made(*ret, fd);
	/* A shared lock until this process ends: others may read, but not write. */
	fr_dir_lock(*ret, false);
	return 0;
}

/* ---- locking ---- */

#define PATIENCE_MS 1000 /* before the message that it waits */
#define LOOK_MS 20

int fr_folder_use(const char *dir, bool alone)
{
	struct fr_err err;
	int r = fr_dir_enter(dir, &err);

	if (r < 0) {
		fr_say("%s", err.msg);
		return FR_EXIT_USAGE;
	}
	for (unsigned waited = 0; (r = fr_dir_lock(dir, alone)) == -EWOULDBLOCK;
	     waited += LOOK_MS) {
		pid_t pid = waited == PATIENCE_MS ? fr_dir_holder(dir) : 0;

		if (pid)
			fr_say("waiting for process %d, which is using '%s'", (int)pid, dir);
		else if (waited == PATIENCE_MS)
			fr_say("waiting for another process, which is using '%s'", dir);
		usleep(LOOK_MS * 1000);
	}
	if (r < 0 && alone)
		fr_say("warning: cannot lock '%s' (%s): use it with one tool at a time", dir,
		       strerror(-r));
	if (!r && alone)
		fr_dir_sweep(dir);
	return FR_EXIT_OK;
}

void fr_folder_discard(const char *dir)
{
	static const char *const names[] = {"trace", "pool",  "run.json", "stdout", "stderr",
					    "stdin", "sites", "memory",	  "origin", "peers"};

	for (size_t i = 0; i < fr_array_size(names); i++) {
		FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/%s", dir, names[i]);

		fr_dir_unlink(path);
	}
	fr_dir_sweep(dir);
	rmdir(dir);
}

static void newest_in(const char *parent, char **best, struct timespec *best_time)
{
	struct dirent *d;
	DIR *dir = opendir(parent);

	while (dir && (d = readdir(dir))) {
		FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/%s", parent, d->d_name);
		FR_CLEANUP(fr_freep) char *trace = fr_xasprintf("%s/trace", path);
		struct stat st;

		/* The recorder creates `trace` when the recording starts. */
		if (d->d_name[0] == '.' || lstat(trace, &st) < 0 || !S_ISREG(st.st_mode))
			continue;
		if (*best && (st.st_mtim.tv_sec < best_time->tv_sec ||
			      (st.st_mtim.tv_sec == best_time->tv_sec &&
			       st.st_mtim.tv_nsec <= best_time->tv_nsec)))
			continue;
		free(*best);
		*best = fr_steal(path);
		*best_time = st.st_mtim;
	}
	if (dir)
		closedir(dir);
}

int fr_folder_newest(char **ret, struct fr_err *reterr)
{
	struct timespec t = {0};
	char *best = NULL;

	newest_in(DEFAULT, &best, &t);
	if (!best)
		return fr_err_say(reterr, -ENOENT,
				  "no run folder in '" DEFAULT
				  "': record one with 'forerun record', or name one");
	*ret = best;
	return 0;
}
