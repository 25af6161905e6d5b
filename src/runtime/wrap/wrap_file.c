/*
 * Files by name: whether a file exists, its type and length, and calls that change these.
 *
 * Input:     the call is made and its outcome recorded; under a schedule the call is made again.
 *            Its outcome also shows the state of the world before the program, which is recorded
 *            and compared (wrap_named.c). A file that the recorded run made, changed or removed is
 *            the most common reason why a program cannot be run twice.
 * Order:     a call that makes, removes or renames a file releases the key of its name (kernel.h).
 *            A call whose outcome depends on a name acquires it. So lock files, links, renames and
 *            directories order threads as the kernel does, and a thread that finds a file comes
 *            after the one that made it. Opening an existing file orders nothing else.
 * Not seen:  calls inside libc (scandir, glob, mkstemp), and in static programs calls that the pass
 *            does not redirect. Whether fopen makes a file or finds one is not recorded as an
 *            input.
 */
#include "runtime/control/ctl.h"
#include "runtime/core/rt_input.h"
#include "runtime/core/keep_file.h"
#include "runtime/core/kernel.h"
#include "runtime/core/peer.h"
#include "runtime/core/rt_stream.h"
#include "wrap.h"
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

static void record(bool failed, uint64_t what)
{
	struct frt_thread *t = frt_asking();

	if (t)
		frt_input_result(t, FR_INPUT_FILE, failed ? -1 : 0, what);
}

static int recorded(int r)
{
	record(r < 0, 0);
	return r;
}

static int recorded_kind(int r, unsigned mode, int64_t size)
{
	uint64_t x[2] = {mode & S_IFMT, S_ISREG(mode) ? (uint64_t)size : 0};

	record(r < 0, r < 0 ? 0 : fr_hash(0, x, sizeof(x)) >> 16);
	return r;
}

static uint64_t removed(void)
{
	return frt_key(FRT_KEY_REMOVED, 0, 0);
}

/* ---- opening ---- */

static mode_t mode_of(int flags, va_list ap)
{
	return flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)) ? va_arg(ap, mode_t) : 0;
}

/* The keys of one call of open. */
struct opening {
	struct frt_give g;
	uint64_t name, taken; /* taken: acquired after success */
	bool there;	      /* the file exists */
	bool fifo;
	uint64_t hook; /* of the call itself */
};

/* Opening makes the file, or truncates it, or lets the other end of a FIFO continue. If the call
   may make the file, its success says nothing about what other threads did. */
static void opens_object(struct opening *o, int dir, const char *path, int flags)
{
	uint64_t emptied = FRT_KEY_NONE;
	int saved = errno;
	struct stat st;
	bool fifo = false;

	o->there = o->fifo = false;
	frt_give_begin(&o->g);
	if (!o->g.t)
		return;
	o->name = frt_key_name(path);
	if (path && REAL(fstatat)(dir, path, &st, 0) == 0) {
		o->there = true;
		fifo = o->fifo = S_ISFIFO(st.st_mode);
		if (flags & O_TRUNC)
			emptied = frt_key_inode(st.st_mode, st.st_ino, st.st_dev);
	}
	o->g.waits = fifo && !(flags & O_NONBLOCK);
	o->taken = flags & O_CREAT && !(flags & O_EXCL) && !fifo ? FRT_KEY_NONE : o->name;
	frt_give_alone(&o->g, o->name);
	frt_give(&o->g, flags & O_CREAT || fifo ? o->name : FRT_KEY_NONE);
	frt_give(&o->g, emptied);
	if (fifo)
		frt_peer_fifo_opens(o->g.t, path, flags);
	o->hook = o->g.t->hook;
	errno = saved;
}

static void opens(struct opening *o, int dir, const char *path, int flags)
{
	if ((flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC))
		frt_keep_file(dir, path, !(flags & O_NOFOLLOW));
	opens_object(o, dir, path, flags);
}

static int opened(struct opening *o, int r)
{
	if (o->g.t)
		frt_take_here(r < 0 ? o->name : o->taken);
	frt_give_end(&o->g);
	return recorded(r);
}

#define OPEN(name, params, args, dir, last)                                  \
	int frt_wrap_##name params                                           \
	{                                                                    \
		struct opening o;                                            \
		mode_t mode;                                                 \
		va_list ap;                                                  \
		int fd;                                                      \
                                                                             \
		va_start(ap, last);                                          \
		mode = mode_of(last, ap);                                    \
		va_end(ap);                                                  \
		opens(&o, dir, path, last);                                  \
		fd = REAL(name) args;                                        \
		if (o.fifo)                                                  \
			frt_peer_fifo_opened(o.g.t, o.hook, path, last, fd); \
		frt_named_file_opened(dir, path, last, fd);                  \
		return opened(&o, fd);                                       \
	}

OPEN(open, (const char *path, int flags, ...), (path, flags, mode), AT_FDCWD, flags)
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode), AT_FDCWD, flags)
OPEN(openat, (int dir, const char *path, int flags, ...), (dir, path, flags, mode), dir, flags)
OPEN(openat64, (int dir, const char *path, int flags, ...), (dir, path, flags, mode), dir, flags)

#define CREAT(name)                                               \
	int frt_wrap_##name(const char *path, mode_t mode)        \
	{                                                         \
		int flags = O_CREAT | O_TRUNC | O_WRONLY, fd;     \
		struct opening o;                                 \
                                                                  \
		opens(&o, AT_FDCWD, path, flags);                 \
		fd = REAL(name)(path, mode);                      \
		frt_named_file_opened(AT_FDCWD, path, flags, fd); \
		return opened(&o, fd);                            \
	}

CREAT(creat)
CREAT(creat64)

/* Names that are separate from files, but made and found in the same way. */
int frt_wrap_shm_open(const char *path, int flags, mode_t mode)
{
	struct opening o;
	int fd;

	frt_keep_shm("", path);
	opens_object(&o, AT_FDCWD, path, flags & ~O_TRUNC);
	fd = REAL(shm_open)(path, flags, mode);
	frt_named_shm(path, flags, fd);
	return opened(&o, fd);
}

mqd_t frt_wrap_mq_open(const char *path, int flags, ...)
{
	struct mq_attr *attr = NULL;
	struct opening o;
	mode_t mode = 0;
	va_list ap;
	mqd_t q;

	if (flags & O_CREAT) {
		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		attr = va_arg(ap, struct mq_attr *);
		va_end(ap);
	}
	opens_object(&o, AT_FDCWD, path, flags & ~O_TRUNC);
	q = REAL(mq_open)(path, flags, mode, attr);
	frt_named_queue(path, flags, q);
	return opened(&o, q);
}

/* Opening allocates, so the outcome is recorded before, at the same hook in each run. */
static void record_existence(const char *path)
{
	int saved = errno;

	if (frt_asking())
		recorded((int)syscall(SYS_faccessat, AT_FDCWD, path, F_OK));
	errno = saved;
}

static int flags_of(const char *mode)
{
	int flags = *mode == 'w'   ? O_CREAT | O_TRUNC | O_WRONLY
		    : *mode == 'a' ? O_CREAT | O_WRONLY
				   : O_RDONLY;

	for (; *mode && *mode != ','; mode++) {
		if (*mode == 'x')
			flags |= O_EXCL;
		else if (*mode == '+')
			flags = (flags & ~O_ACCMODE) | O_RDWR;
	}
	return flags;
}

/* libc frees the stream again if it cannot open it, so the reason is recorded before. */
static void cannot_open(const char *path, int flags, const struct opening *o)
{
	int saved = errno;

	if (!path || !o->g.t)
		return;
	errno = o->there ? EEXIST : ENOENT;
	if (o->there ? flags & O_CREAT && flags & O_EXCL : !(flags & O_CREAT))
		frt_named_file_opened(AT_FDCWD, path, flags, -1);
	errno = saved;
}

#define FOPEN(fn, params, args)                                                       \
	FILE *frt_wrap_##fn params                                                    \
	{                                                                             \
		int flags = flags_of(mode);                                           \
		struct opening o;                                                     \
		FILE *f;                                                              \
                                                                                      \
		if (path && *mode == 'r')                                             \
			record_existence(path);                                       \
		opens(&o, AT_FDCWD, path, flags);                                     \
		cannot_open(path, flags, &o);                                         \
		f = REAL(fn) args;                                                    \
		if (o.fifo && f)                                                      \
			frt_peer_fifo_opened(o.g.t, o.hook, path, flags, f->_fileno); \
		frt_named_file_opened(AT_FDCWD, path, flags, f ? f->_fileno : -1);    \
		if (o.g.t)                                                            \
			frt_take_here(f ? o.taken : o.name);                          \
		frt_give_end(&o.g);                                                   \
		return f;                                                             \
	}

FOPEN(fopen, (const char *path, const char *mode), (path, mode))
FOPEN(fopen64, (const char *path, const char *mode), (path, mode))

DIR *frt_wrap_opendir(const char *path)
{
	uint64_t k = frt_key_name(path);
	struct frt_give g;
	DIR *d;

	record_existence(path);
	frt_see(&g, k);
	d = REAL(opendir)(path);
	frt_named_wanted(AT_FDCWD, path, !d, false);
	frt_take_here(k);
	frt_give_end(&g);
	return d;
}

/* An entry shows that the file exists; the end shows that no other one does. The kernel lists many
   entries at once, so the call must see all names in one state. */
#define READDIR(type, name)                                             \
	struct type *frt_wrap_##name(DIR *d)                            \
	{                                                               \
		uint64_t entered = frt_see_names();                     \
		struct type *e = REAL(name)(d);                         \
                                                                        \
		frt_take_here(e ? frt_key_name(e->d_name) : removed()); \
		frt_seen_names(entered);                                \
		return e;                                               \
	}

READDIR(dirent, readdir)
READDIR(dirent64, readdir64)

/* ---- reading attributes ---- */

/* True if the times of the file must be converted to the program's virtual clocks. */
static bool has_times(int r)
{
	return r == 0 && frt_controlled() && frt_asking();
}

/* Acquires the keys of the name and of the file itself. */
static void looked(const char *path, int r, unsigned mode, uint64_t inode, uint64_t device)
{
	frt_take_here(path ? frt_key_name(path) : FRT_KEY_NONE);
	frt_take_here(r < 0 ? FRT_KEY_NONE : frt_key_inode(mode, inode, device));
}

#define LOOK(name, params, args, dir, path, key)                                 \
	int frt_wrap_##name params                                               \
	{                                                                        \
		struct frt_give g;                                               \
		int r;                                                           \
                                                                                 \
		frt_see(&g, key);                                                \
		r = REAL(name) args;                                             \
		if (has_times(r)) {                                              \
			frt_ctl_file_time(&st->st_atim);                         \
			frt_ctl_file_time(&st->st_mtim);                         \
			frt_ctl_file_time(&st->st_ctim);                         \
		}                                                                \
		frt_named_examined(dir, path, r < 0, r < 0 ? 0 : st->st_mode,    \
				   r < 0 ? 0 : (uint64_t)st->st_size);           \
		looked(path, r, r < 0 ? 0 : st->st_mode, r < 0 ? 0 : st->st_ino, \
		       r < 0 ? 0 : st->st_dev);                                  \
		frt_give_end(&g);                                                \
		return recorded_kind(r, r < 0 ? 0 : st->st_mode,                 \
				     r < 0 ? 0 : (int64_t)st->st_size);          \
	}

LOOK(stat, (const char *path, struct stat *st), (path, st), AT_FDCWD, path, frt_key_name(path))
LOOK(stat64, (const char *path, struct stat64 *st), (path, st), AT_FDCWD, path, frt_key_name(path))
LOOK(lstat, (const char *path, struct stat *st), (path, st), AT_FDCWD, path, frt_key_name(path))
LOOK(lstat64, (const char *path, struct stat64 *st), (path, st), AT_FDCWD, path, frt_key_name(path))
LOOK(fstat, (int fd, struct stat *st), (fd, st), AT_FDCWD, NULL, frt_key_file(fd))
LOOK(fstat64, (int fd, struct stat64 *st), (fd, st), AT_FDCWD, NULL, frt_key_file(fd))
LOOK(fstatat, (int dir, const char *path, struct stat *st, int flags), (dir, path, st, flags), dir,
     path, frt_key_name(path))
LOOK(fstatat64, (int dir, const char *path, struct stat64 *st, int flags), (dir, path, st, flags),
     dir, path, frt_key_name(path))

static void convert_statx_time(struct statx_timestamp *x)
{
	struct timespec ts = {x->tv_sec, x->tv_nsec};

	frt_ctl_file_time(&ts);
	*x = (struct statx_timestamp){.tv_sec = ts.tv_sec, .tv_nsec = (uint32_t)ts.tv_nsec};
}

int frt_wrap_statx(int dir, const char *path, int flags, unsigned mask, struct statx *st)
{
	struct frt_give g;
	int r;

	frt_see(&g, frt_key_name(path));
	r = REAL(statx)(dir, path, flags, mask, st);
	if (has_times(r)) {
		convert_statx_time(&st->stx_atime);
		convert_statx_time(&st->stx_mtime);
		convert_statx_time(&st->stx_ctime);
		convert_statx_time(&st->stx_btime);
	}
	frt_named_examined(dir, path, r < 0, r < 0 ? 0 : st->stx_mode, r < 0 ? 0 : st->stx_size);
	looked(path, r, r < 0 ? 0 : st->stx_mode, r < 0 ? 0 : st->stx_ino,
	       r < 0 ? 0 : makedev(st->stx_dev_major, st->stx_dev_minor));
	frt_give_end(&g);
	return recorded_kind(r, r < 0 ? 0 : st->stx_mode, r < 0 ? 0 : (int64_t)st->stx_size);
}

#define ACCESS(ret, name, params, args, dir, end)          \
	ret frt_wrap_##name params                         \
	{                                                  \
		uint64_t k = frt_key_name(path);           \
		struct frt_give g;                         \
		ret r;                                     \
                                                           \
		frt_see(&g, k);                            \
		r = REAL(name) args;                       \
		frt_named_wanted(dir, path, r < 0, false); \
		frt_take_here(k);                          \
		frt_give_end(&g);                          \
		return end;                                \
	}

ACCESS(int, access, (const char *path, int how), (path, how), AT_FDCWD, recorded(r))
ACCESS(int, faccessat, (int dir, const char *path, int how, int flags), (dir, path, how, flags),
       dir, recorded(r))
ACCESS(ssize_t, readlink, (const char *path, char *to, size_t n), (path, to, n), AT_FDCWD, r)
ACCESS(ssize_t, readlinkat, (int dir, const char *path, char *to, size_t n), (dir, path, to, n),
       dir, r)

/* ---- making and removing ---- */

/* The outcome depends on both names and is visible under both. `gone`: a name disappears. */
static void changes(struct frt_give *g, uint64_t a, uint64_t b, uint64_t gone)
{
	frt_give_begin(g);
	frt_give_second(g, a, b);
	frt_give(g, a);
	frt_give(g, b);
	frt_give(g, gone);
}

static int changed(struct frt_give *g, uint64_t a, uint64_t b, int r)
{
	frt_take_here(a);
	frt_take_here(b);
	frt_give_end(g);
	return recorded(r);
}

/* keep: keeps the files that the call changes. */
#define CHANGE(name, params, args, first, second, gone, keep, named) \
	int frt_wrap_##name params                                   \
	{                                                            \
		uint64_t a = frt_key_name(first);                    \
		uint64_t b = frt_key_name(second);                   \
		struct frt_give g;                                   \
		int r;                                               \
                                                                     \
		keep;                                                \
		changes(&g, a, b, gone);                             \
		r = REAL(name) args;                                 \
		named;                                               \
		return changed(&g, a, b, r);                         \
	}

#define KEEP(dir, path) frt_keep_file(dir, path, false)

#define MAKE(name, params, args, dir)                                         \
	CHANGE(name, params, args, path, NULL, FRT_KEY_NONE, KEEP(dir, path), \
	       frt_named_made(dir, path, r < 0))
#define REMOVE(name, params, args, keep, named) \
	CHANGE(name, params, args, path, NULL, removed(), keep, named)
#define UNLINK(name, params, args, dir) \
	REMOVE(name, params, args, KEEP(dir, path), frt_named_wanted(dir, path, r < 0, true))
#define MOVE(name, params, args, olddir, newdir, replace)                                       \
	CHANGE(name, params, args, from, to, removed(), (KEEP(olddir, from), KEEP(newdir, to)), \
	       (frt_named_wanted(olddir, from, r < 0, true), moved(newdir, to, r, replace)))
#define LINK(name, params, args, olddir, newdir)                             \
	CHANGE(name, params, args, from, to, FRT_KEY_NONE, KEEP(newdir, to), \
	       (linked(olddir, from, r), frt_named_made(newdir, to, r < 0)))

static void moved(int dir, const char *to, int r, bool replace)
{
	if (replace)
		frt_named_replaced(dir, to, r < 0);
	else
		frt_named_made(dir, to, r < 0);
}

/* The missing directory may be that of the other name. */
static void linked(int dir, const char *from, int r)
{
	if (r == 0)
		frt_named_wanted(dir, from, false, false);
}

MAKE(mkdir, (const char *path, mode_t mode), (path, mode), AT_FDCWD)
MAKE(mkdirat, (int dir, const char *path, mode_t mode), (dir, path, mode), dir)
MAKE(mkfifo, (const char *path, mode_t mode), (path, mode), AT_FDCWD)
MAKE(mkfifoat, (int dir, const char *path, mode_t mode), (dir, path, mode), dir)
MAKE(symlink, (const char *to, const char *path), (to, path), AT_FDCWD)
MAKE(symlinkat, (const char *to, int dir, const char *path), (to, dir, path), dir)
UNLINK(rmdir, (const char *path), (path), AT_FDCWD)
UNLINK(unlink, (const char *path), (path), AT_FDCWD)
UNLINK(unlinkat, (int dir, const char *path, int flags), (dir, path, flags), dir)
UNLINK(remove, (const char *path), (path), AT_FDCWD)
REMOVE(shm_unlink, (const char *path), (path), frt_keep_shm("", path),
       frt_named_removed(FR_NAME_SHM, path, r < 0))
REMOVE(mq_unlink, (const char *path), (path), (void)0,
       frt_named_removed(FR_NAME_QUEUE, path, r < 0))
REMOVE(sem_unlink, (const char *path), (path), frt_keep_shm("sem.", path),
       frt_named_removed(FR_NAME_SEM, path, r < 0))
MOVE(rename, (const char *from, const char *to), (from, to), AT_FDCWD, AT_FDCWD, true)
MOVE(renameat, (int olddir, const char *from, int newdir, const char *to),
     (olddir, from, newdir, to), olddir, newdir, true)
MOVE(renameat2, (int olddir, const char *from, int newdir, const char *to, unsigned flags),
     (olddir, from, newdir, to, flags), olddir, newdir, !(flags & RENAME_NOREPLACE))
LINK(link, (const char *from, const char *to), (from, to), AT_FDCWD, AT_FDCWD)
LINK(linkat, (int olddir, const char *from, int newdir, const char *to, int flags),
     (olddir, from, newdir, to, flags), olddir, newdir)

/* The length of a file is visible by name and by descriptor. */
#define TRUNCATE(name, params, args, key, keep, named) \
	int frt_wrap_##name params                     \
	{                                              \
		struct frt_give g;                     \
		int r;                                 \
                                                       \
		keep;                                  \
		frt_give_begin(&g);                    \
		frt_give(&g, key);                     \
		r = REAL(name) args;                   \
		named;                                 \
		frt_give_end(&g);                      \
		return r;                              \
	}

TRUNCATE(truncate, (const char *path, off_t n), (path, n), frt_key_path(AT_FDCWD, path),
	 frt_keep_file(AT_FDCWD, path, true), frt_named_wanted(AT_FDCWD, path, r < 0, true))
TRUNCATE(truncate64, (const char *path, off64_t n), (path, n), frt_key_path(AT_FDCWD, path),
	 frt_keep_file(AT_FDCWD, path, true), frt_named_wanted(AT_FDCWD, path, r < 0, true))
TRUNCATE(ftruncate, (int fd, off_t n), (fd, n), frt_key_out(fd, NULL, 0), (void)0, (void)0)
TRUNCATE(ftruncate64, (int fd, off64_t n), (fd, n), frt_key_out(fd, NULL, 0), (void)0, (void)0)
