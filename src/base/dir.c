/*
 * Files of run folders, with the guarantees that dir.h lists.
 * Invariant: `guard` protects the table of entered folders; a descriptor in it is open.
 */
#include "base/dir.h"
#include "base/mem.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define PREFIX ".tmp-" /* temporary files: this prefix and 32 hexadecimal digits */

/* ---- folders that were entered ---- */

struct entered {
	char *name;
	int fd;
	bool locked, alone;
	bool made; /* by this process */
};

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static FR_VEC(struct entered) entered;

/* Returns the entered folder that contains the path, or NULL, and the rest of the path. */
static const struct entered *find(const char *path, const char **ret_rest)
{
	const struct entered *best = NULL;
	size_t longest = 0;

	FR_VEC_FOREACH (e, &entered) {
		size_t n = strlen(e->name);

		if (n < longest || strncmp(path, e->name, n) != 0 || (path[n] && path[n] != '/'))
			continue;
		best = e;
		longest = n;
	}
	if (best)
		*ret_rest = path + longest + strspn(path + longest, "/");
	return best;
}

static struct entered *find_folder(const char *dir)
{
	FR_VEC_FOREACH (e, &entered)
		if (!strcmp(e->name, dir))
			return e;
	return NULL;
}

static void enter(const char *dir, int fd, bool made)
{
	fr_dir_leave(dir);
	pthread_mutex_lock(&guard);
	fr_vec_push(&entered, ((struct entered){.name = fr_xstrdup(dir), .fd = fd, .made = made}));
	pthread_mutex_unlock(&guard);
}

void fr_dir_enter_made(const char *dir, int fd)
{
	enter(dir, fd, true);
}

bool fr_dir_made(const char *dir)
{
	const struct entered *e;
	bool made;

	pthread_mutex_lock(&guard);
	e = find_folder(dir);
	made = e && e->made;
	pthread_mutex_unlock(&guard);
	return made;
}

void fr_dir_leave(const char *dir)
{
	struct entered *e;

	pthread_mutex_lock(&guard);
	e = find_folder(dir);
	if (e) {
		close(e->fd);
		free(e->name);
		*e = entered.v[--entered.n];
	}
	pthread_mutex_unlock(&guard);
}

int fr_dir_enter(const char *dir, struct fr_err *reterr)
{
	int fd;

	if (fr_dir_fd(dir) >= 0)
		return 0;
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 && errno == EACCES) /* only search permission: cannot be listed or locked */
		fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return fr_err_set(reterr, -errno, "cannot open folder '%s'", dir);
	enter(dir, fd, false);
	return 0;
}

int fr_dir_fd(const char *dir)
{
	const struct entered *e;
	int fd;

	pthread_mutex_lock(&guard);
	e = find_folder(dir);
	fd = e ? e->fd : -1;
	pthread_mutex_unlock(&guard);
	return fd;
}

int fr_dir_lock(const char *dir, bool alone)
{
	struct entered *e;
	int r = 0;

	pthread_mutex_lock(&guard);
	e = find_folder(dir);
	if (!e)
		r = -EBADF;
	else if (!e->locked || e->alone != alone)
		r = flock(e->fd, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB) < 0 ? -errno : 0;
	if (!r) {
		e->locked = true;
		e->alone = alone;
	} else if (e) {
		e->locked = false; /* flock releases the old lock before it takes the new one */
	}
	pthread_mutex_unlock(&guard);
	return r;
}

/* Reads lines of /proc/locks such as "1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF". */
pid_t fr_dir_holder(const char *dir)
{
	FR_CLEANUP(fr_fclosep) FILE *f = fopen("/proc/locks", "re");
	char line[256];
	struct stat st;

	if (!f || fstat(fr_dir_fd(dir), &st) < 0)
		return 0;
	while (fgets(line, sizeof(line), f)) {
		unsigned major, minor;
		uint64_t inode;
		int pid;

		if (sscanf(line, "%*d: FLOCK %*s %*s %d %x:%x:%" SCNu64, &pid, &major, &minor,
			   &inode) == 4 &&
		    pid > 0 && pid != getpid() && inode == st.st_ino &&
		    makedev(major, minor) == st.st_dev)
			return pid;
	}
	return 0;
}

void fr_dir_forget(void)
{
	pthread_mutex_lock(&guard);
	FR_VEC_FOREACH (e, &entered) {
		close(e->fd);
		free(e->name);
	}
	fr_vec_free(&entered);
	pthread_mutex_unlock(&guard);
}

static bool temporary(const char *name)
{
	size_t n = strlen(PREFIX);

	return !strncmp(name, PREFIX, n) && strlen(name + n) == 32 &&
	       strspn(name + n, "0123456789abcdef") == 32;
}

void fr_dir_sweep(const char *dir)
{
	int fd = fr_dir_list(dir);
	DIR *h = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *d;

	while (h && (d = readdir(h)))
		if (temporary(d->d_name))
			unlinkat(dirfd(h), d->d_name, 0);
	if (h)
		closedir(h);
	else
		fr_closep(&fd);
}

/* ---- from a path to a folder and a name in it ---- */

struct at {
	int fd;	  /* the folder */
	int top;  /* the run folder, which takes temporary files; not owned */
	bool own; /* at_close closes fd */
	const char *name;
};

static void at_close(struct at *a)
{
	if (a->own)
		fr_closep(&a->fd);
}

/* Goes down into one folder. Refuses symbolic links and "..", which could lead out. */
static int step(struct at *a, const char *name, size_t n)
{
	FR_CLEANUP(fr_freep) char *part = fr_xstrndup(name, n);
	struct stat st;
	int fd;

	if (!strcmp(part, "..") || !strcmp(part, "."))
		return -EXDEV;
	fd = openat(a->fd, part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		int e = errno;

		return fstatat(a->fd, part, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode)
			   ? -ELOOP
			   : -e;
	}
	at_close(a);
	a->fd = fd;
	a->own = true;
	return 0;
}

static int at_outside(const char *path, struct at *ret)
{
	const char *slash = strrchr(path, '/');
	FR_CLEANUP(fr_freep)
	char *dir = !slash	    ? fr_xstrdup(".")
		    : slash == path ? fr_xstrdup("/")
				    : fr_xstrndup(path, (size_t)(slash - path));

	*ret = (struct at){.own = true, .name = slash ? slash + 1 : path};
	ret->fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	ret->top = ret->fd;
	return ret->fd < 0 ? -errno : 0;
}

static int at_open(const char *path, struct at *ret)
{
	const char *rest = NULL;
	const struct entered *e;
	int r = 0;

	pthread_mutex_lock(&guard);
	e = find(path, &rest);
	*ret = (struct at){.fd = e ? e->fd : -1, .top = e ? e->fd : -1, .name = rest};
	pthread_mutex_unlock(&guard);
	if (!e) {
		r = at_outside(path, ret);
	} else {
		for (const char *slash; !r && (slash = strchr(ret->name, '/'));) {
			r = step(ret, ret->name, (size_t)(slash - ret->name));
			ret->name = slash + strspn(slash, "/");
		}
	}
	if (!r && (!strcmp(ret->name, "..") || !strcmp(ret->name, ".")))
		r = -EXDEV;
	if (r < 0)
		at_close(ret);
	return r;
}

/* ---- errors ---- */

static int refuse(struct fr_err *e, int code, const char *what, const char *path)
{
	if (code == -ELOOP)
		return fr_err_say(
		    e, code,
		    "'%s' leads through a symbolic link: forerun follows none inside a "
		    "run folder",
		    path);
	if (code == -EXDEV)
		return fr_err_say(e, code, "'%s' leads out of the run folder", path);
	return fr_err_set(e, code, "cannot %s '%s'", what, path);
}

/* ---- files ---- */

int fr_dir_open(const char *path, struct fr_err *reterr)
{
	FR_CLEANUP(fr_closep) int fd = -1;
	struct stat st;
	struct at a;
	int r = at_open(path, &a);

	if (r < 0)
		return refuse(reterr, r, "open", path);
	fd = openat(a.fd, a.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	r = fd < 0 || fstat(fd, &st) < 0 ? -errno : 0;
	at_close(&a);
	if (r < 0 && r != -ENXIO)
		return refuse(reterr, r, "open", path);
	if (r < 0 || !S_ISREG(st.st_mode)) /* -ENXIO: a socket */
		return fr_err_say(reterr, -EINVAL, "'%s' is not a regular file", path);
	fcntl(fd, F_SETFL, O_RDONLY); /* clear O_NONBLOCK: it may become a program's input */
	r = fd;
	fd = -1;
	return r;
}

int fr_dir_create(const char *path, int flags, struct fr_err *reterr)
{
	struct at a;
	int r = at_open(path, &a), fd;

	if (r < 0)
		return refuse(reterr, r, "create", path);
	fd = openat(a.fd, a.name, flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	r = fd < 0 ? -errno : 0;
	at_close(&a);
	if (r < 0)
		return refuse(reterr, r, "create", path);
	fchmod(fd, 0600); /* the umask may have removed the owner's permissions */
	return fd;
}

int fr_dir_map(const char *path, struct fr_mapped *ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_closep) int fd = fr_dir_open(path, reterr);

	return fd < 0 ? fd : fr_io_map_fd(fd, path, ret, reterr);
}

int fr_dir_stat(const char *path, struct stat *ret)
{
	struct stat st;
	struct at a;
	int r = at_open(path, &a);

	if (r < 0)
		return r;
	r = fstatat(a.fd, a.name, ret ? ret : &st, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
	at_close(&a);
	return r;
}

int fr_dir_mkdir(const char *path, struct fr_err *reterr)
{
	struct stat st;
	struct at a;
	mode_t old;
	int r = at_open(path, &a);

	if (r < 0)
		return refuse(reterr, r, "create folder", path);
	old = umask(0);
	r = mkdirat(a.fd, a.name, 0700) < 0 ? -errno : 0;
	umask(old);
	if (r == -EEXIST && fstatat(a.fd, a.name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		r = S_ISDIR(st.st_mode) ? 0 : S_ISLNK(st.st_mode) ? -ELOOP : -ENOTDIR;
	at_close(&a);
	return r < 0 ? refuse(reterr, r, "create folder", path) : 0;
}

static int remove_at(const char *path, int flags)
{
	struct stat st;
	struct at a;
	int r = at_open(path, &a);

	if (r < 0)
		return r;
	r = fstatat(a.fd, a.name, &st, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
	if (!r && !flags && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
		r = -EINVAL;
	if (!r)
		r = unlinkat(a.fd, a.name, flags) < 0 ? -errno : 0;
	at_close(&a);
	return r;
}

int fr_dir_unlink(const char *path)
{
	return remove_at(path, 0);
}

int fr_dir_rmdir(const char *path)
{
	return remove_at(path, AT_REMOVEDIR);
}

int fr_dir_move(const char *from, const char *to, struct fr_err *reterr)
{
	struct at a, b;
	struct stat st;
	int r = at_open(from, &a);

	if (r < 0)
		return refuse(reterr, r, "rename", from);
	r = at_open(to, &b);
	if (!r) {
		r = fstatat(a.fd, a.name, &st, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
		if (!r && !S_ISDIR(st.st_mode))
			r = -ENOTDIR;
		if (!r)
			r = renameat(a.fd, a.name, b.fd, b.name) < 0 ? -errno : 0;
		at_close(&b);
	}
	at_close(&a);
	return r < 0 ? refuse(reterr, r, "rename", from) : 0;
}

int fr_dir_list(const char *path)
{
	struct at a;
	int r = at_open(path, &a);

	if (r < 0)
		return r;
	r = openat(a.fd, *a.name ? a.name : ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	r = r < 0 ? -errno : r;
	at_close(&a);
	return r;
}

/* ---- replacing ---- */

int fr_dir_temporary(int dir, char name[48])
{
	uint64_t random[2];
	int fd;

	if (getrandom(random, sizeof(random), 0) != sizeof(random))
		return -EIO;
	snprintf(name, 48, PREFIX "%016" PRIx64 "%016" PRIx64, random[0], random[1]);
	fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	fchmod(fd, 0600);
	return fd;
}

int fr_dir_new(const char *path, struct fr_dir_new *ret, struct fr_err *reterr)
{
	struct fr_dir_new n = {.fd = -1, .from = -1};
	struct at a;
	int r = at_open(path, &a);

	if (r < 0)
		return refuse(reterr, r, "create", path);
	n.from = fcntl(a.top, F_DUPFD_CLOEXEC, 3);
	r = n.from < 0 ? -errno : (n.fd = fr_dir_temporary(n.from, n.tmp));
	at_close(&a);
	if (r < 0) {
		fr_closep(&n.from);
		return refuse(reterr, r, "create", path);
	}
	*ret = n;
	return 0;
}

void fr_dir_drop(struct fr_dir_new *n)
{
	if (n->tmp[0])
		unlinkat(n->from, n->tmp, 0);
	n->tmp[0] = 0;
	fr_closep(&n->fd);
	fr_closep(&n->from);
}

int fr_dir_publish(struct fr_dir_new *n, const char *path, struct fr_err *reterr)
{
	struct stat st;
	struct at a;
	int r = at_open(path, &a);

	if (!r && fstatat(a.fd, a.name, &st, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(st.st_mode) &&
	    !S_ISLNK(st.st_mode)) {
		at_close(&a);
		fr_dir_drop(n);
		return fr_err_say(reterr, -EINVAL, "cannot replace '%s': it is not a regular file",
				  path);
	}
	if (!r) {
		/* Some file systems report a full disk only in close. */
		r = close(n->fd) < 0 ? -errno : 0;
		n->fd = -1;
		if (!r)
			r = renameat(n->from, n->tmp, a.fd, a.name) < 0 ? -errno : 0;
		at_close(&a);
	}
	if (r < 0) {
		fr_dir_drop(n);
		return refuse(reterr, r, "replace", path);
	}
	n->tmp[0] = 0;
	fr_closep(&n->from);
	return 0;
}

int fr_dir_replace(const char *path, const void *p, size_t n, struct fr_err *reterr)
{
	struct fr_dir_new new;
	int r = fr_dir_new(path, &new, reterr);

	if (r < 0)
		return r;
	r = fr_io_write_all(new.fd, p, n, NULL);
	if (r < 0) {
		fr_dir_drop(&new);
		return fr_err_set(reterr, r, "cannot write '%s'", path);
	}
	return fr_dir_publish(&new, path, reterr);
}
