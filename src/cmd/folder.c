/* Run folders. mkdir is the lock: whoever makes the folder owns the number. */
#include "cmd/folder.h"
#include "base/io.h"
#include "base/mem.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT "forerun.d"

/* The number behind "PROG." in a name, 0 if it has none. */
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

static int make_numbered(const char *parent, const char *program, char **ret, struct fr_err *reterr)
{
	const char *slash = strrchr(program, '/'), *base = slash ? slash + 1 : program;
	unsigned long last = 0;
	struct dirent *d;
	DIR *dir;

	if (mkdir(parent, 0777) < 0 && errno != EEXIST)
		return fr_err_set(reterr, -errno,
				  "cannot create folder '%s' (-o DIR names another)", parent);
	dir = opendir(parent);
	if (!dir)
		return fr_err_set(reterr, -errno, "cannot open folder '%s'", parent);
	while ((d = readdir(dir))) {
		unsigned long v = number_of(d->d_name, base);

		last = v > last ? v : last;
	}
	closedir(dir);
	for (int tries = 0; tries < 10000; tries++) {
		char *path = fr_xasprintf("%s/%s.%lu", parent, base, ++last);

		if (mkdir(path, 0777) == 0) {
			*ret = path;
			return 0;
		}
		free(path);
		if (errno != EEXIST)
			return fr_err_set(reterr, -errno,
					  "cannot create a folder in '%s' (-o DIR names another)",
					  parent);
	}
	return fr_err_say(reterr, -EEXIST, "cannot find a free number in '%s'", parent);
}

int fr_folder_make(const char *out, const char *program, char **ret, struct fr_err *reterr)
{
	int r;

	if (!out)
		return make_numbered(DEFAULT, program, ret, reterr);
	if (!*out)
		return fr_err_say(reterr, -EINVAL, "the name of the run folder is empty");
	r = fr_io_mkdirs(out, reterr);
	if (r < 0)
		return r;
	if (mkdir(out, 0777) < 0) {
		if (errno == EEXIST)
			return fr_err_say(reterr, -EEXIST,
					  "'%s' exists already: give another name, or remove it",
					  out);
		return fr_err_set(reterr, -errno, "cannot create folder '%s'", out);
	}
	*ret = fr_xstrdup(out);
	return 0;
}

void fr_folder_discard(const char *dir)
{
	static const char *const names[] = {"trace",  "pool",  "run.json", "run.json.tmp", "stdout",
					    "stderr", "stdin", "sites",	   "memory"};

	for (size_t i = 0; i < fr_array_size(names); i++) {
		FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/%s", dir, names[i]);

		unlink(path);
	}
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

		/* The header of the trace is written when the recording starts. */
		if (d->d_name[0] == '.' || stat(trace, &st) < 0)
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
				  "there is no run folder in '" DEFAULT
				  "': record one with 'forerun record', or name one");
	*ret = best;
	return 0;
}
