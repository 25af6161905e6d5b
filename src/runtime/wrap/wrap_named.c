/*
 * Names outside of the program: records the facts that each call shows about its name, and its
 * change (core/outside_name.h). Covers files, named objects of the kernel and socket addresses.
 * core/kernel.h handles the order that names impose between threads.
 *
 * An object that a call opens, and makes if necessary, is known by its content: the value of a
 * semaphore, the messages of a queue, the length of shared memory.
 * Not seen: ports that the kernel chose; objects that are used by their number alone; the names
 * that mkstemp and the like choose.
 */
#include "runtime/core/keep_file.h"
#include "runtime/core/rt_input.h"
#include "runtime/core/outside_name.h"
#include "wrap.h"
#include <netinet/in.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/un.h>

/* The thread that asks. NULL: none, or the name cannot be read. The program then gets its error,
   and no name was used. */
static struct frt_thread *names(const void *name, bool failed)
{
	return name && !(failed && (errno == EFAULT || errno == ENAMETOOLONG)) ? frt_asking()
									       : NULL;
}

static uint32_t hash_of(uint64_t v)
{
	return (uint32_t)(fr_hash_mix(1, v) >> 32);
}

/* ---- files ---- */

static void used(struct frt_thread *t, int dir, const char *path, struct frt_shown s)
{
	struct frt_name n;

	if (!t)
		return;
	n = frt_name_file(dir, path);
	frt_name_used(t, &n, &s);
}

/* The facts that an error shows about a name that had to exist. */
static unsigned missing(int error)
{
	return error == ENOENT || error == ENOTDIR ? FR_NAME_ABSENT : 0;
}

void frt_named_wanted(int dir, const char *path, bool failed, bool changed)
{
	struct frt_shown s = {.flags = FR_NAME_THERE | (changed ? FR_NAME_CHANGED : 0),
			      .sure = changed};

	if (failed)
		s = (struct frt_shown){.flags = missing(errno), .error = errno};
	used(names(path, failed), dir, path, s);
}

void frt_named_made(int dir, const char *path, bool failed)
{
	struct frt_shown s = {.flags = FR_NAME_ABSENT | FR_NAME_CHANGED, .sure = true};

	if (failed)
		s = (struct frt_shown){.flags = errno == EEXIST ? FR_NAME_THERE : 0,
				       .error = errno};
	used(names(path, failed), dir, path, s);
}

void frt_named_replaced(int dir, const char *path, bool failed)
{
	if (!failed)
		used(names(path, false), dir, path, (struct frt_shown){.flags = FR_NAME_CHANGED});
}

/* A file that is opened for writing counts as changed, except a device. */
static void look_into(const struct frt_name *n, int flags, int fd, struct frt_shown *s)
{
	int saved = errno;
	struct stat st;

	if ((flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC))
		s->flags |= FR_NAME_CHANGED;
	if (fstat(fd, &st) == 0) {
		if (S_ISCHR(st.st_mode))
			s->flags &= ~(unsigned)FR_NAME_CHANGED;
		if (!(flags & O_TRUNC) && !(s->flags & FR_NAME_ABSENT))
			frt_name_examine(n, &st, (flags & O_ACCMODE) == O_WRONLY ? -1 : fd, s);
	}
	errno = saved;
}

#define UNNAMED (O_TMPFILE & ~O_DIRECTORY)

/* A file that a call opens, and makes if necessary, is known by its length: an empty file is like a
   missing one, and a truncated one shows nothing. */
void frt_named_file_opened(int dir, const char *path, int flags, int fd)
{
	struct frt_thread *t = names(path, fd < 0);
	struct frt_shown s = {0};
	struct frt_name n;

	if (!t || flags & UNNAMED)
		return;
	n = frt_name_file(dir, path);
	if (fd < 0)
		s = (struct frt_shown){.flags = errno == EEXIST ? FR_NAME_THERE : missing(errno),
				       .error = errno};
	else if (flags & O_CREAT && flags & O_EXCL)
		s = (struct frt_shown){.flags = FR_NAME_ABSENT, .sure = true};
	else if (!(flags & O_CREAT))
		s.flags = FR_NAME_THERE;
	if (fd >= 0)
		look_into(&n, flags, fd, &s);
	frt_name_used(t, &n, &s);
}

void frt_named_examined(int dir, const char *path, bool failed, unsigned mode, uint64_t size)
{
	struct stat st = {.st_mode = mode, .st_size = (off_t)size};
	struct frt_thread *t = names(path, failed);
	struct frt_shown s = {.flags = FR_NAME_THERE};
	struct frt_name n;

	if (!t || !*path) /* AT_EMPTY_PATH */
		return;
	n = frt_name_file(dir, path);
	if (failed)
		s = (struct frt_shown){.flags = missing(errno), .error = errno};
	else
		frt_name_examine(&n, &st, -1, &s);
	frt_name_used(t, &n, &s);
}

int frt_wrap_mknod(const char *path, mode_t mode, dev_t dev)
{
	int r;

	frt_keep_file(AT_FDCWD, path, false);
	r = REAL(mknod)(path, mode, dev);

	frt_named_made(AT_FDCWD, path, r < 0);
	return r;
}

int frt_wrap_chmod(const char *path, mode_t mode)
{
	int r;

	frt_keep_file(AT_FDCWD, path, true);
	r = REAL(chmod)(path, mode);

	frt_named_wanted(AT_FDCWD, path, r < 0, true);
	return r;
}

/* ---- named objects ---- */

void frt_named_removed(unsigned kind, const char *name, bool failed)
{
	struct frt_thread *t = names(name, failed);
	struct frt_shown s = {.flags = FR_NAME_THERE | FR_NAME_CHANGED, .sure = true};
	struct frt_name n;

	if (!t)
		return;
	n = frt_name_text(kind, name);
	if (failed)
		s = (struct frt_shown){.flags = missing(errno), .error = errno};
	frt_name_used(t, &n, &s);
}

void frt_named_opened(unsigned kind, const char *name, int flags, bool failed, uint64_t state)
{
	struct frt_shown s = {.flags = FR_NAME_CHANGED | FR_NAME_SIZE, .size = hash_of(state)};
	struct frt_thread *t = names(name, failed);
	struct frt_name n;

	if (!t)
		return;
	n = frt_name_text(kind, name);
	if (failed)
		s = (struct frt_shown){.flags = errno == EEXIST ? FR_NAME_THERE : missing(errno),
				       .error = errno};
	else if (flags & O_CREAT && flags & O_EXCL)
		s = (struct frt_shown){.flags = FR_NAME_CHANGED | FR_NAME_ABSENT, .sure = true};
	else if (!(flags & O_CREAT))
		s.flags |= FR_NAME_THERE;
	frt_name_used(t, &n, &s);
}

void frt_named_shm(const char *name, int flags, int fd)
{
	int saved = errno;
	struct stat st = {0};

	if (fd >= 0 && frt_asking())
		fstat(fd, &st);
	errno = saved;
	frt_named_opened(FR_NAME_SHM, name, flags, fd < 0,
			 flags & O_TRUNC ? 0 : (uint64_t)st.st_size);
}

void frt_named_queue(const char *name, int flags, int q)
{
	struct mq_attr now = {0};
	int saved = errno;

	if (q >= 0 && frt_asking())
		syscall(SYS_mq_getsetattr, (long)q, NULL, &now);
	errno = saved;
	frt_named_opened(FR_NAME_QUEUE, name, flags, q < 0, (uint64_t)now.mq_curmsgs);
}

/* ---- System V: a query before the call shows whether the object exists ---- */

int frt_named_key_there(long number, long key)
{
	int saved = errno, r = -1;

	if (frt_asking() && key != IPC_PRIVATE)
		r = number == SYS_msgget ? syscall(number, key, 0L) >= 0
					 : syscall(number, key, 0L, 0L) >= 0;
	errno = saved;
	return r;
}

void frt_named_key(long number, long key, int there, int flags, int r)
{
	struct frt_shown s = {.flags = there ? FR_NAME_THERE : FR_NAME_ABSENT,
			      .error = r < 0 ? errno : 0};
	long id[2] = {key, number};
	struct frt_thread *t = frt_asking();
	struct frt_name n;

	if (!t || there < 0 || (r < 0 && errno != EEXIST && errno != ENOENT))
		return;
	if (r >= 0 && flags & IPC_CREAT)
		s.flags |= FR_NAME_CHANGED;
	n = frt_name_bytes(FR_NAME_SYSV, id, sizeof(id));
	frt_name_used(t, &n, &s);
}

/* ---- sockets ---- */

/* A socket in the file system is a file. Without a hash: an address that the kernel chooses. */
static struct frt_name address(const struct sockaddr *a, socklen_t len)
{
	const struct sockaddr_un *u = (const void *)a;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	if (a->sa_family == AF_UNIX && len > offsetof(struct sockaddr_un, sun_path)) {
		if (u->sun_path[0])
			return frt_name_file(AT_FDCWD, u->sun_path);
		return frt_name_bytes(FR_NAME_ADDRESS, u, len < sizeof(*u) ? len : sizeof(*u));
	}
	if (a->sa_family == AF_INET && len >= sizeof(in)) {
		frt_copy_inline(&in, a, sizeof(in));
		if (in.sin_port) /* for every address: a port is taken for all of them */
			return frt_name_bytes(FR_NAME_ADDRESS, &in.sin_port, sizeof(in.sin_port));
	}
	if (a->sa_family == AF_INET6 && len >= sizeof(in6)) {
		frt_copy_inline(&in6, a, sizeof(in6));
		if (in6.sin6_port)
			return frt_name_bytes(FR_NAME_ADDRESS, &in6.sin6_port,
					      sizeof(in6.sin6_port));
	}
	return (struct frt_name){0};
}

void frt_named_binds(const struct sockaddr *a, socklen_t len)
{
	const struct sockaddr_un *u = (const void *)a;
	char path[sizeof(u->sun_path) + 1];
	size_t n = 0;

	if (!a || len <= offsetof(struct sockaddr_un, sun_path) || a->sa_family != AF_UNIX)
		return;
	while (n < len - offsetof(struct sockaddr_un, sun_path) && n < sizeof(u->sun_path) &&
	       u->sun_path[n]) {
		path[n] = u->sun_path[n];
		n++;
	}
	frt_assert(n < sizeof(path));
	path[n] = 0;
	if (n)
		frt_keep_file(AT_FDCWD, path, false);
}

void frt_named_bound(int r, const struct sockaddr *a, socklen_t len)
{
	struct frt_thread *t = names(a, r < 0);
	struct frt_shown s = {.flags = FR_NAME_ABSENT | FR_NAME_CHANGED, .sure = true};
	struct frt_name n;
	int saved = errno;

	if (!t || len < sizeof(a->sa_family) || (r < 0 && errno != EADDRINUSE))
		return;
	n = address(a, len);
	if (r < 0)
		s = (struct frt_shown){.flags = FR_NAME_THERE, .error = saved};
	frt_name_used(t, &n, &s);
	errno = saved;
}

void frt_named_connected(int r, const struct sockaddr *a, socklen_t len)
{
	struct frt_thread *t = names(a, r < 0);
	struct frt_shown s = {.flags = FR_NAME_THERE | FR_NAME_CHANGED};
	struct frt_name n;
	int saved = errno;

	if (!t || len < sizeof(a->sa_family) || (r < 0 && errno != ECONNREFUSED && errno != ENOENT))
		return;
	n = address(a, len);
	if (r < 0)
		s = (struct frt_shown){.flags = FR_NAME_ABSENT, .error = saved};
	frt_name_used(t, &n, &s);
	errno = saved;
}
