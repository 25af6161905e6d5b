/* The list of kept files: see kept_files.h. */
#include "trace/kept_files.h"
#include "base/assert.h"
#include "base/dir.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int fr_kept_write(int fd, const struct fr_kept_file *f)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};

	fr_assert(f->path[0] == '/');
	fr_buf_printf(&b, "%" PRIo32 " %" PRId64 " %" PRIu32 " %zu %s\n", f->mode, f->mtime,
		      f->copy, strlen(f->path), f->path);
	return fr_io_write_all(fd, b.s, b.n, NULL);
}

/* Reads one entry at *p. 0: the rest is incomplete; -1: it is damaged. */
static int read_one(const char **p, const char *end, struct fr_kept_file *ret)
{
	char head[80];
	size_t n = 0, length;
	int used = 0;

	while (n < sizeof(head) - 1 && *p + n < end && (*p)[n] != '/' && (*p)[n] != '\n') {
		head[n] = (*p)[n];
		n++;
	}
	head[n] = 0;
	if (*p + n == end)
		return 0;
	if (sscanf(head, "%" SCNo32 " %" SCNd64 " %" SCNu32 " %zu %n", &ret->mode, &ret->mtime,
		   &ret->copy, &length, &used) != 4 ||
	    (size_t)used != n || !length || length > PATH_MAX || (*p)[n] != '/')
		return -1;
	if ((size_t)(end - *p) < n + length + 1)
		return 0;
	if ((*p)[n + length] != '\n' || memchr(*p + n, 0, length))
		return -1;
	ret->path = fr_xstrndup(*p + n, length);
	*p += n + length + 1;
	return 1;
}

int fr_kept_read(const char *dir, struct fr_kept_files *ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/kept", dir);
	FR_CLEANUP(fr_io_unmap) struct fr_mapped m = {0};
	const char *p;
	int r;

	*ret = (struct fr_kept_files){0};
	if (fr_dir_stat(path, NULL) == -ENOENT)
		return 0;
	r = fr_dir_map(path, &m, reterr);
	if (r < 0)
		return r;
	p = (const char *)m.p;
	while (p && p < (const char *)m.p + m.n) {
		struct fr_kept_file f = {0};
		size_t at = (size_t)(p - (const char *)m.p);

		r = read_one(&p, (const char *)m.p + m.n, &f);
		if (r < 0)
			return fr_err_say(reterr, -EBADMSG, "'%s' is damaged at byte %zu", path,
					  at);
		if (!r)
			break;
		fr_vec_push(&ret->file, f);
	}
	return 0;
}

void fr_kept_free(struct fr_kept_files *k)
{
	FR_VEC_FOREACH (f, &k->file)
		free(f->path);
	fr_vec_free(&k->file);
}

char *fr_kept_copy(const char *dir, uint32_t number)
{
	fr_assert(number);
	return fr_xasprintf("%s/kept.%" PRIu32, dir, number);
}

bool fr_kept_whole(const struct fr_kept_file *f)
{
	switch (f->mode & S_IFMT) {
	case S_IFREG:
	case S_IFLNK:
		return f->copy;
	case S_IFDIR:
	case S_IFIFO:
	case S_IFSOCK:
		return true;
	default:
		return !f->mode;
	}
}
