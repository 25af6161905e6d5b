/*
 * Output files and folders that the user names. This file resolves the path itself, one component
 * at a time, because the kernel would follow any user's links: fs.protected_symlinks protects only
 * sticky folders, and is not set everywhere.
 */
#include "base/output.h"
#include "base/assert.h"
#include "base/dir.h"
#include "base/io.h"
#include "base/mem.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define MAX_LINKS 40

/* ---- walking ---- */

struct path_walk {
	const char *given; /* for messages */
	int fd;		   /* the folder reached so far */
	char *rest;	   /* the path after `name` */
	char *name;	   /* the component after `fd` */
	unsigned links;
	struct fr_err *err;
};

static void walk_clear(struct path_walk *w)
{
	fr_closep(&w->fd);
	free(w->rest);
	free(w->name);
}

/* Opens the folder at which the given path, or the target of a link, begins. */
static int begin(struct path_walk *w, const char *path)
{
	if (*path == '/' || w->fd < 0) {
		fr_closep(&w->fd);
		w->fd = open(*path == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (w->fd < 0)
			return fr_err_set(w->err, -errno, "cannot open '%s'", w->given);
	}
	return 0;
}

/* Moves the next component from `rest` to `name`. Returns false if none is left. *ret_last: it is
   the last one. */
static bool take(struct path_walk *w, bool *ret_last)
{
	const char *s = w->rest + strspn(w->rest, "/");
	size_t n = strcspn(s, "/");
	char *rest;

	if (!n)
		return false;
	free(w->name);
	w->name = fr_xstrndup(s, n);
	rest = fr_xstrdup(s + n);
	free(w->rest);
	w->rest = rest;
	*ret_last = !w->rest[strspn(w->rest, "/")];
	return true;
}

static bool is_in_proc(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

/* Replaces the component, a link, by its target if the link belongs to this user or root. */
static int follow(struct path_walk *w, const struct stat *st)
{
	char target[PATH_MAX], *rest;
	ssize_t n;

	if (st->st_uid != geteuid() && st->st_uid != 0)
		return fr_err_say(w->err, -EPERM,
				  "cannot write '%s': '%s' is a symbolic link of another user "
				  "(%u), and forerun does not follow it; give the real path",
				  w->given, w->name, (unsigned)st->st_uid);
	if (++w->links > MAX_LINKS)
		return fr_err_set(w->err, -ELOOP, "cannot write '%s'", w->given);
	n = readlinkat(w->fd, w->name, target, sizeof(target) - 1);
	if (n <= 0)
		return fr_err_set(w->err, n < 0 ? -errno : -ENOENT, "cannot write '%s'", w->given);
	fr_assert((size_t)n < sizeof(target));
	target[n] = 0;
	rest = fr_xasprintf("%s/%s", target, w->rest);
	free(w->rest);
	w->rest = rest;
	return begin(w, target);
}

/* Goes down to the folder of the last component. That component is then w->name and may not exist.
   make: creates missing folders. final: also follows a link in the last component, except a link of
   /proc, which stands for an open file. */
static int walk(struct path_walk *w, bool make, bool final)
{
	bool last = false;
	int r = begin(w, w->rest);

	while (!r && take(w, &last)) {
		struct stat st;
		int fd;

		fr_assert(w->fd >= 0 && *w->name && !strchr(w->name, '/'));
		if (fstatat(w->fd, w->name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
			if (errno != ENOENT)
				return fr_err_set(w->err, -errno, "cannot write '%s'", w->given);
			if (last)
				return 0;
			if (!make)
				return fr_err_say(w->err, -ENOENT,
						  "cannot write '%s': folder '%s' does not exist "
						  "(create it with mkdir)",
						  w->given, w->name);
			fd = fr_output_mkdirat(w->fd, w->name);
			if (fd < 0 && fd != -EEXIST)
				return fr_err_set(w->err, fd, "cannot create folder '%s'",
						  w->given);
			fr_closep(&fd);
			st.st_mode = S_IFDIR;
		}
		if (S_ISLNK(st.st_mode) && (!last || final) && !(last && is_in_proc(w->fd))) {
			r = follow(w, &st);
			last = false;
			continue;
		}
		if (last)
			return 0;
		fd = openat(w->fd, w->name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			return fr_err_set(w->err, -errno, "cannot write '%s'", w->given);
		close(w->fd);
		w->fd = fd;
	}
	if (!r) /* "/", or a link to a folder */
		r = fr_err_set(w->err, -EISDIR, "cannot write '%s'", w->given);
	return r;
}

/* ---- files ---- */

/* If the path is /proc/self/fd/N, returns a duplicate of descriptor N, else -1. Opening the path
   instead would start at the beginning of a file, and is not possible for a socket. */
static int descriptor_of(const struct path_walk *w)
{
	struct stat there, ours;
	char *end;
	long n = strtol(w->name, &end, 10);

	if (*end || end == w->name || n < 0 || n > INT_MAX || fstat((int)n, &ours) < 0 ||
	    fstatat(w->fd, w->name, &there, 0) < 0 || there.st_dev != ours.st_dev ||
	    there.st_ino != ours.st_ino)
		return -1;
	return fcntl((int)n, F_DUPFD_CLOEXEC, 3);
}

/* Writes into a device, FIFO, terminal or open descriptor. */
static int write_into(const struct path_walk *w, int flags, const void *p, size_t n)
{
	FR_CLEANUP(fr_closep) int fd = is_in_proc(w->fd) ? descriptor_of(w) : -1;
	int r;

	if (fd < 0)
		fd = openat(w->fd, w->name, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC | flags);
	r = fd < 0 ? -errno : fr_io_write_all(fd, p, n, NULL);
	return r < 0 ? fr_err_set(w->err, r, "cannot write '%s'", w->given) : 0;
}

/* Gives the new file the mode and owner of the old one, or without an old one the umask's mode. */
static void set_mode_and_owner(int fd, const struct stat *old)
{
	mode_t mask;

	if (old) {
		if (old->st_uid != geteuid() || old->st_gid != getegid())
			if (fchown(fd, old->st_uid, old->st_gid) < 0 && old->st_uid != geteuid())
				old = NULL; /* this user owns it now: use a new file's mode */
	}
	if (old) {
		fchmod(fd, old->st_mode & 0777);
		return;
	}
	mask = umask(0);
	umask(mask);
	fchmod(fd, 0666 & ~mask);
}

static int replace(const struct path_walk *w, const struct stat *old, const void *p, size_t n)
{
	char tmp[48];
	int fd, r;

	fr_assert(w->fd >= 0 && w->name);
	if (old && faccessat(w->fd, w->name, W_OK, AT_EACCESS) < 0)
		return fr_err_set(w->err, -errno, "cannot write '%s'", w->given);
	fd = fr_dir_temporary(w->fd, tmp);
	if (fd < 0)
		return fr_err_set(w->err, fd, "cannot create a file beside '%s'", w->given);
	r = fr_io_write_all(fd, p, n, NULL);
	if (!r) {
		set_mode_and_owner(fd, old);
		/* Before the rename: a crash must not replace a good file by an empty one. */
		if (fsync(fd) < 0 && errno != EINVAL && errno != ENOSYS)
			r = -errno;
	}
	if (close(fd) < 0 && !r)
		r = -errno;
	if (!r && renameat(w->fd, tmp, w->fd, w->name) < 0)
		r = -errno;
	if (r < 0)
		unlinkat(w->fd, tmp, 0);
	return r < 0 ? fr_err_set(w->err, r, "cannot write '%s'%s", w->given,
				  old ? " (the old file is unchanged)" : "")
		     : 0;
}

int fr_output_write(const char *path, const void *p, size_t n, struct fr_err *reterr)
{
	FR_CLEANUP(walk_clear)
	struct path_walk w = {.given = path, .fd = -1, .rest = fr_xstrdup(path), .err = reterr};
	struct stat st;
	int r;

	if (!*path)
		return fr_err_say(reterr, -EINVAL, "the name of the output file is empty");
	r = walk(&w, false, true);
	if (r < 0)
		return r;
	if (path[strlen(path) - 1] == '/')
		return fr_err_set(reterr, -EISDIR, "cannot write '%s'", path);
	if (fstatat(w.fd, w.name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? replace(&w, NULL, p, n)
				       : fr_err_set(reterr, -errno, "cannot write '%s'", path);
	if (S_ISREG(st.st_mode) && !is_in_proc(w.fd))
		return replace(&w, &st, p, n);
	if (S_ISDIR(st.st_mode))
		return fr_err_set(reterr, -EISDIR, "cannot write '%s'", path);
	return write_into(&w, S_ISLNK(st.st_mode) ? 0 : O_NOFOLLOW, p, n);
}

/* ---- folders ---- */

int fr_output_mkdirat(int dir, const char *name)
{
	mode_t old = umask(0); /* a umask could remove the owner's permissions */
	int r = mkdirat(dir, name, 0700) < 0 ? -errno : 0, fd;

	umask(old);
	if (r < 0)
		return r;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int fr_output_mkdir(const char *path, int *ret, struct fr_err *reterr)
{
	FR_CLEANUP(walk_clear)
	struct path_walk w = {.given = path, .fd = -1, .rest = fr_xstrdup(path), .err = reterr};
	int r = walk(&w, true, false), fd;

	if (r == -EISDIR)
		return -EEXIST;
	if (r < 0)
		return r;
	fd = fr_output_mkdirat(w.fd, w.name);
	if (fd < 0)
		return fr_err_set(reterr, fd, "cannot create folder '%s'", path);
	*ret = fd;
	return 0;
}

int fr_output_enter(const char *path, int *ret, struct fr_err *reterr)
{
	FR_CLEANUP(walk_clear)
	struct path_walk w = {.given = path, .fd = -1, .rest = fr_xstrdup(path), .err = reterr};
	int r = walk(&w, true, true), fd;
	bool existed = false;
	struct stat st;

	if (r < 0)
		return r;
	fd = fr_output_mkdirat(w.fd, w.name);
	if (fd == -EEXIST) {
		existed = true;
		fd = openat(w.fd, w.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		fd = fd < 0 ? -errno : fd;
	}
	if (fd < 0)
		return fr_err_set(reterr, fd, "cannot create folder '%s'", path);
	if (existed && fstat(fd, &st) < 0) {
		int e = -errno;

		close(fd);
		return fr_err_set(reterr, e, "cannot examine folder '%s'", path);
	}
	if (existed && st.st_uid != geteuid()) {
		close(fd);
		return fr_err_say(reterr, -EPERM, "folder '%s' belongs to another user (%u)", path,
				  (unsigned)st.st_uid);
	}
	*ret = fd;
	return 0;
}
