/* Files: complete reads and writes, mappings, and errors that name the file. */
#include "base/io.h"
#include "base/assert.h"
#include "base/mem.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int fr_io_write_all(int fd, const void *p, size_t n, size_t *written)
{
	const char *s = p;
	size_t done = 0;
	int r = 0;

	while (done < n) {
		ssize_t k = write(fd, s + done, n - done);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0) {
			r = k < 0 ? -errno : -EIO;
			break;
		}
		done += (size_t)k;
	}
	if (written)
		*written = done;
	return r;
}

ssize_t fr_io_pread(int fd, void *p, size_t n, uint64_t off)
{
	size_t done = 0;

	while (done < n) {
		ssize_t k = pread(fd, (char *)p + done, n - done, (off_t)(off + done));

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return -errno;
		if (!k)
			break;
		done += (size_t)k;
	}
	return (ssize_t)done;
}

int fr_io_open(const char *path, struct fr_err *reterr)
{
	FR_CLEANUP(fr_closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	int r;

	if (fd < 0 || fstat(fd, &st) < 0)
		return fr_err_set(reterr, -errno, "cannot open '%s'", path);
	if (!S_ISREG(st.st_mode))
		return fr_err_say(reterr, -EINVAL, "'%s' is not a regular file", path);
	r = fd;
	fd = -1;
	return r;
}

int fr_io_map_fd(int fd, const char *path, struct fr_mapped *ret, struct fr_err *reterr)
{
	struct stat st;
	void *p;

	if (fstat(fd, &st) < 0)
		return fr_err_set(reterr, -errno, "cannot open '%s'", path);
	if (!st.st_size) {
		*ret = (struct fr_mapped){0};
		return 0;
	}
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return fr_err_set(reterr, -errno, "cannot map '%s'", path);
	*ret = (struct fr_mapped){.p = p, .n = (size_t)st.st_size};
	return 0;
}

int fr_io_map(const char *path, struct fr_mapped *ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_closep) int fd = fr_io_open(path, reterr);

	return fd < 0 ? fd : fr_io_map_fd(fd, path, ret, reterr);
}

void fr_io_unmap(struct fr_mapped *m)
{
	fr_assert(!m->p == !m->n);
	if (m->p)
		munmap((void *)m->p, m->n);
	*m = (struct fr_mapped){0};
}

void fr_io_rest(const struct fr_mapped *m)
{
	if (m->p)
		madvise((void *)m->p, m->n, MADV_DONTNEED);
}

int fr_io_reserve(const char *dir, uint64_t bytes)
{
	int fd = open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600), r;

	if (fd < 0)
		return -errno;
	r = fallocate(fd, 0, 0, (off_t)bytes) < 0 ? -errno : 0;
	if (!r)
		return fd;
	close(fd);
	return r;
}

int fr_io_memory(const char *what, size_t size, int *ret_fd, char ret_path[64],
		 struct fr_err *reterr)
{
	int fd = memfd_create(what, MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return fr_err_set(reterr, -errno, "cannot create a file in memory");
	if (size && ftruncate(fd, (off_t)size) < 0) {
		int e = -errno;

		close(fd);
		return fr_err_set(reterr, e, "cannot create a file of %zu bytes in memory", size);
	}
	if (size) /* a program that cuts the file off must not end the tool with SIGBUS */
		fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK);
	snprintf(ret_path, 64, "/proc/%d/fd/%d", (int)getpid(), fd);
	*ret_fd = fd;
	return 0;
}
