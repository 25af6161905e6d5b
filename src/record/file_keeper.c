/* Keeps files before the program changes them: see file_keeper.h. The program may write anything
   into the pool, so nothing there is trusted. */
#include "record/file_keeper.h"
#include "base/assert.h"
#include "base/dir.h"
#include "base/hash.h"
#include "base/io.h"
#include "trace/kept_files.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FILE_MOST (UINT64_C(64) << 20) /* bytes of a file that is copied */
#define ALL_MOST (UINT64_C(1) << 30)   /* and of all copies */
#define LOOK_NS (100 * 1000 * 1000)

/* ---- which file it is ---- */

/* Opens the folder at which the program's relative paths start. */
static int start_of(pid_t pid, int dir)
{
	char link[64];

	if (dir == AT_FDCWD)
		snprintf(link, sizeof(link), "/proc/%d/cwd", (int)pid);
	else
		snprintf(link, sizeof(link), "/proc/%d/fd/%d", (int)pid, dir);
	return open(link, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Returns the absolute path of an open file as a new string, NULL if it has none any more. */
static char *path_of(int fd)
{
	char link[64], to[PATH_MAX];
	struct stat a, b;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, to, sizeof(to) - 1);
	if (n <= 0 || to[0] != '/')
		return NULL;
	to[n] = 0;
	if (fstat(fd, &a) < 0 || lstat(to, &b) < 0 || a.st_ino != b.st_ino || a.st_dev != b.st_dev)
		return NULL;
	return fr_xstrdup(to);
}

/* The absolute path of a file that does not exist: its folder must. */
static char *path_absent(int start, const char *path)
{
	FR_CLEANUP(fr_freep) char *copy = fr_xstrdup(path), *folder = NULL;
	FR_CLEANUP(fr_closep) int fd = -1;
	size_t n = strlen(copy);
	char *slash;

	while (n > 1 && copy[n - 1] == '/')
		copy[--n] = 0;
	slash = strrchr(copy, '/');
	fd = openat(start,
		    !slash	    ? "."
		    : slash == copy ? "/"
				    : (*slash = 0, copy),
		    O_PATH | O_DIRECTORY | O_CLOEXEC);
	folder = fd < 0 ? NULL : path_of(fd);
	if (!folder)
		return NULL;
	return fr_xasprintf("%s/%s", strcmp(folder, "/") ? folder : "", slash ? slash + 1 : copy);
}

/* Finds the file. Returns its path as a new string, and its status; NULL: it is not kept. */
static char *find(struct fr_keeper *k, const struct fr_pool_keep *q, struct stat *ret, int *ret_fd)
{
	FR_CLEANUP(fr_closep) int start = start_of(atomic_load(&k->pool->pid), q->dir), fd = -1;
	char *path;

	if (start < 0 && q->path[0] != '/')
		return NULL;
	fd = openat(start, q->path, O_PATH | O_CLOEXEC | (q->follow ? 0 : O_NOFOLLOW));
	*ret = (struct stat){0};
	if (fd < 0 && errno != ENOENT)
		return NULL;
	if (fd < 0) {
		path = path_absent(start, q->path);
	} else {
		path = path_of(fd);
		fstat(fd, ret);
	}
	*ret_fd = fd;
	fd = -1;
	return path;
}

static bool is_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return !strncmp(path, folder, n) && (!path[n] || path[n] == '/');
}

static bool wanted(const char *path)
{
	if (is_below(path, "/dev/shm"))
		return true;
	return !is_below(path, "/proc") && !is_below(path, "/sys") && !is_below(path, "/dev");
}

/* ---- copies ---- */

static bool copy_bytes(struct fr_keeper *k, int from, int to, uint64_t size)
{
	uint64_t done = 0;

	if (ioctl(to, FICLONE, from) == 0)
		return true;
	if (size > FILE_MOST || k->bytes + size > ALL_MOST)
		return false;
	while (done <= FILE_MOST) {
		char piece[65536];
		ssize_t n = fr_io_pread(from, piece, sizeof(piece), done);

		if (n < 0 || (n > 0 && fr_io_write_all(to, piece, (size_t)n, NULL) < 0))
			return false;
		if (!n) {
			k->bytes += done;
			return true;
		}
		done += (uint64_t)n;
	}
	return false;
}

static bool copy_link(int from, int to)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(from, "", target, sizeof(target));

	return n > 0 && fr_io_write_all(to, target, (size_t)n, NULL) == 0;
}

/* Copies the content of the file, which is open by O_PATH. Returns the number of the copy, 0 = it
   could not be copied. */
static uint32_t copy(struct fr_keeper *k, int fd, const struct stat *st)
{
	FR_CLEANUP(fr_freep) char *path = fr_kept_copy(k->dir, k->copies + 1);
	FR_CLEANUP(fr_closep) int to = -1, from = -1;
	char link[64];
	bool ok;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (S_ISREG(st->st_mode)) {
		from = open(link, O_RDONLY | O_CLOEXEC | O_NOATIME);
		if (from < 0)
			from = open(link, O_RDONLY | O_CLOEXEC);
		if (from < 0)
			return 0;
	}
	to = fr_dir_create(path, O_WRONLY, NULL);
	if (to < 0)
		return 0;
	ok = S_ISLNK(st->st_mode) ? copy_link(fd, to)
				  : copy_bytes(k, from, to, (uint64_t)st->st_size);
	if (!ok) {
		fr_dir_unlink(path);
		return 0;
	}
	return ++k->copies;
}

static void keep(struct fr_keeper *k, const struct fr_pool_keep *q)
{
	FR_CLEANUP(fr_closep) int fd = -1;
	struct fr_kept_file f = {0};
	struct stat st;
	uint64_t *seen;

	f.path = find(k, q, &st, &fd);
	if (!f.path)
		return;
	seen = fr_map_put(&k->paths, fr_hash_text(FR_HASH_START, f.path));
	if (!*seen && wanted(f.path)) {
		*seen = 1;
		f.mode = st.st_mode;
		f.mtime = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
		if (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode))
			f.copy = copy(k, fd, &st);
		if (k->list < 0) {
			FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/kept", k->dir);

			k->list = fr_dir_create(path, O_WRONLY, NULL);
		}
		if (k->list >= 0)
			fr_kept_write(k->list, &f);
	}
	free(f.path);
}

/* ---- the thread ---- */

static void answer(struct fr_keeper *k)
{
	_Atomic uint32_t *state = &k->pool->keep.state;
	struct fr_pool_keep q;

	memcpy(&q, &k->pool->keep, sizeof(q));
	q.path[FR_KEEP_PATH - 1] = 0;
	keep(k, &q);
	atomic_store(state, FR_KEEP_DONE);
	syscall(SYS_futex, state, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void *work(void *arg)
{
	struct fr_keeper *k = arg;
	const struct timespec patience = {.tv_nsec = LOOK_NS};

	while (!atomic_load(&k->stop)) {
		uint32_t state = atomic_load(&k->pool->keep.state);

		if (state == FR_KEEP_ASKED)
			answer(k);
		else
			syscall(SYS_futex, &k->pool->keep.state, FUTEX_WAIT, state, &patience, NULL,
				0);
	}
	return NULL;
}

bool fr_keeper_start(struct fr_keeper *k, const char *dir, struct fr_pool *pool)
{
	fr_assert(dir && pool && !k->running);
	*k = (struct fr_keeper){.pool = pool, .dir = fr_xstrdup(dir), .list = -1};
	k->running = pthread_create(&k->thread, NULL, work, k) == 0;
	atomic_store(&pool->keep.state, k->running ? FR_KEEP_FREE : FR_KEEP_OFF);
	return k->running;
}

void fr_keeper_stop(struct fr_keeper *k)
{
	if (!k->running)
		return;
	atomic_store(&k->pool->keep.state, FR_KEEP_OFF);
	atomic_store(&k->stop, true);
	syscall(SYS_futex, &k->pool->keep.state, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	pthread_join(k->thread, NULL);
	k->running = false;
	if (k->list >= 0)
		close(k->list);
	fr_map_free(&k->paths);
	free(k->dir);
}
