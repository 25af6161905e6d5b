/*
 * Restores the files in a box as they were before the recorded run (box.h). Only system calls: the
 * child that calls this shares the memory of the tool.
 *
 * Order: first files disappear that did not exist, then folders come back, outer ones first, and
 * then everything else.
 */
#include "process/box.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DEPTH 64 /* folders within folders */

struct fix_entry {
	uint64_t inode;
	int64_t offset;
	uint16_t length;
	uint8_t type;
	char name[];
};

static int remove_in(int dir, const char *name, unsigned depth);

static bool is_dots(const char *s)
{
	return s[0] == '.' && (!s[1] || (s[1] == '.' && !s[2]));
}

/* Removes everything in an open folder. */
static int empty(int fd, unsigned depth)
{
	_Alignas(8) char list[2048];
	long n;

	for (;;) {
		bool any = false;

		if (lseek(fd, 0, SEEK_SET) < 0)
			return -errno;
		n = syscall(SYS_getdents64, fd, list, sizeof(list));
		if (n < 0)
			return -errno;
		for (long at = 0; at < n;) {
			const struct fix_entry *e = (const struct fix_entry *)(list + at);

			at += e->length;
			if (is_dots(e->name))
				continue;
			any = true;
			if (remove_in(fd, e->name, depth + 1) < 0)
				return -ENOTEMPTY;
		}
		if (!any)
			return 0;
	}
}

static int remove_in(int dir, const char *name, unsigned depth)
{
	int fd, r;

	if (unlinkat(dir, name, 0) == 0 || errno == ENOENT || errno == ENOTDIR)
		return 0;
	if ((errno != EISDIR && errno != EPERM) || depth > DEPTH)
		return -errno;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	r = empty(fd, depth);
	close(fd);
	if (!r && unlinkat(dir, name, AT_REMOVEDIR) < 0)
		r = -errno;
	return r;
}

static int copy(int from, int to)
{
	char piece[16384];
	off_t at = 0;

	for (;;) {
		ssize_t n = pread(from, piece, sizeof(piece), at), k;

		if (n <= 0)
			return n < 0 ? -errno : 0;
		for (ssize_t done = 0; done < n; done += k) {
			k = write(to, piece + done, (size_t)(n - done));
			if (k < 0)
				return -errno;
		}
		at += n;
	}
}

static int restore_file(const struct fr_box_fix *f)
{
	int fd = open(f->path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600), r;

	if (fd < 0) { /* something else is there now, or it cannot be written */
		r = remove_in(AT_FDCWD, f->path, 0);
		if (r < 0)
			return r;
		fd = open(f->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	}
	if (fd < 0)
		return -errno;
	r = copy(f->content, fd);
	fchmod(fd, f->mode & 07777);
	close(fd);
	return r;
}

/* Anything but regular files and folders. */
static int restore_special(const struct fr_box_fix *f)
{
	struct stat st;
	int r;

	if (!S_ISLNK(f->mode) && lstat(f->path, &st) == 0 &&
	    (st.st_mode & S_IFMT) == (f->mode & S_IFMT))
		return 0;
	r = remove_in(AT_FDCWD, f->path, 0);
	if (r < 0)
		return r;
	if (S_ISLNK(f->mode))
		return symlink(f->target, f->path) < 0 ? -errno : 0;
	return mknod(f->path, f->mode, 0) < 0 ? -errno : 0;
}

static int restore(const struct fr_box_fix *f)
{
	struct timespec times[2] = {
	    {.tv_nsec = UTIME_OMIT},
	    {.tv_sec = f->mtime / 1000000000, .tv_nsec = f->mtime % 1000000000}};
	int r = S_ISREG(f->mode) ? restore_file(f) : restore_special(f);

	if (!r)
		utimensat(AT_FDCWD, f->path, times, AT_SYMLINK_NOFOLLOW);
	return r;
}

int fr_box_fix_all(const struct fr_box *b)
{
	struct stat st;
	int r = 0;

	umask(0);
	FR_VEC_FOREACH (f, &b->fix)
		if (!f->mode && !r)
			r = remove_in(AT_FDCWD, f->path, 0);
	FR_VEC_FOREACH (f, &b->fix)
		if (S_ISDIR(f->mode) && !r && lstat(f->path, &st) < 0 &&
		    mkdir(f->path, f->mode & 07777) < 0)
			r = -errno;
	FR_VEC_FOREACH (f, &b->fix)
		if (f->mode && !S_ISDIR(f->mode) && !r)
			r = restore(f);
	return r;
}
