/* Order that threads impose on each other through files: names, contents, locks. See pass.h. */
#define _GNU_SOURCE
#include "pass.h"
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>

static int fd;
static char to[N];
static _Thread_local int own = -1; /* an open file of this thread */

/* ---- a file appears ---- */

static void set_none(void)
{
	unlink("file");
	unlink("other");
	rmdir("dir");
}

static void set_other(void)
{
	set_none();
	fd = open("other", O_CREAT | O_WRONLY | O_TRUNC, 0600);
	need(fd >= 0 && write(fd, buffer, N) == N && !close(fd), "open");
}

static void give_open(void)
{
	fd = open("file", O_CREAT | O_WRONLY, 0600);
	need(fd >= 0, "open");
}

static void give_fopen(void)
{
	FILE *f = fopen("file", "w");

	need(f && !fclose(f), "fopen");
}

static void give_rename(void)
{
	need(!rename("other", "file"), "rename");
}

static void give_link(void)
{
	need(!link("other", "file"), "link");
}

static void give_symlink(void)
{
	need(!symlink("other", "file"), "symlink");
}

static void give_mkdir(void)
{
	need(!mkdir("dir", 0700), "mkdir");
}

static void get_open(void)
{
	int r;

	while ((r = open("file", O_RDONLY)) < 0)
		sched_yield();
	close(r);
}

static void get_access(void)
{
	while (access("file", F_OK))
		sched_yield();
}

static void get_stat(void)
{
	struct stat st;

	while (stat("file", &st))
		sched_yield();
}

static void get_readlink(void)
{
	while (readlink("file", to, N) < 0)
		sched_yield();
}

static void get_fopen(void)
{
	FILE *f;

	while (!(f = fopen("file", "r")))
		sched_yield();
	fclose(f);
}

static void get_rmdir(void)
{
	while (rmdir("dir"))
		sched_yield();
}

static void set_list(void)
{
	mkdir("list", 0700);
	unlink("list/file");
}

static void give_listed(void)
{
	need(close(open("list/file", O_CREAT | O_WRONLY, 0600)) == 0, "open");
}

static void get_readdir(void)
{
	for (int seen = 0; !seen; sched_yield()) {
		struct dirent *e;
		DIR *d = opendir("list");

		need(d != NULL, "opendir");
		while ((e = readdir(d)))
			seen |= !strcmp(e->d_name, "file");
		closedir(d);
	}
}

static void set_inotify(void)
{
	set_none();
	fd = inotify_init1(0);
	need(fd >= 0 && inotify_add_watch(fd, ".", IN_CREATE) >= 0, "inotify_init1");
}

static void give_creat(void)
{
	need(close(creat("file", 0600)) == 0, "creat");
}

static void get_inotify(void)
{
	char events[4096];

	need(read(fd, events, sizeof(events)) > 0, "read");
}

/* ---- a file disappears ---- */

static void give_unlink(void)
{
	need(!unlink("other"), "unlink");
}

static void get_gone(void)
{
	while (!access("other", F_OK))
		sched_yield();
}

/* ---- other things that have names ---- */

static char shared[64];

static void set_shm(void)
{
	snprintf(shared, sizeof(shared), "/forerun-%d", getpid());
	shm_unlink(shared);
}

static void give_shm(void)
{
	need(close(shm_open(shared, O_CREAT | O_EXCL | O_RDWR, 0600)) == 0, "shm_open");
}

static void get_shm(void)
{
	int r;

	while ((r = shm_open(shared, O_RDWR, 0)) < 0)
		sched_yield();
	close(r);
	shm_unlink(shared);
}

/* ---- the content of files ---- */

static void set_file(void)
{
	set_none();
	fd = open("file", O_CREAT | O_RDWR | O_TRUNC, 0600);
	need(fd >= 0, "open");
}

static void give_write(void)
{
	need(write(fd, buffer, N) == N, "write");
}

static void give_pwrite(void)
{
	need(pwrite(fd, buffer, N, 0) == N, "pwrite");
}

static void give_pwritev(void)
{
	struct iovec v = {buffer, N};

	need(pwritev(fd, &v, 1, 0) == N, "pwritev");
}

static void give_ftruncate(void)
{
	need(!ftruncate(fd, 100), "ftruncate");
}

static void get_pread(void)
{
	while (pread(fd, to, N, 0) != N)
		sched_yield();
}

static void get_preadv(void)
{
	struct iovec v = {to, N};

	while (preadv(fd, &v, 1, 0) != N)
		sched_yield();
}

static void get_size(void)
{
	struct stat st = {0};

	while (fstat(fd, &st) || !st.st_size)
		sched_yield();
}

static void set_memfd(void)
{
	fd = memfd_create("memory", 0);
	need(fd >= 0, "memfd_create");
}

static void give_copy(void)
{
	int from = open("other", O_RDONLY);

	need(from >= 0 && copy_file_range(from, NULL, fd, NULL, N, 0) == N, "copy_file_range");
}

static void set_copy(void)
{
	set_other();
	fd = open("file", O_CREAT | O_RDWR | O_TRUNC, 0600);
	need(fd >= 0, "open");
}

/* ---- locks ---- */

static void lock_excl(void)
{
	while ((own = open("file", O_CREAT | O_EXCL | O_WRONLY, 0600)) < 0)
		sched_yield();
}

static void unlock_excl(void)
{
	close(own);
	need(!unlink("file"), "unlink");
}

static void lock_link(void)
{
	while (link("other", "file"))
		sched_yield();
}

static void unlock_link(void)
{
	need(!unlink("file"), "unlink");
}

static void lock_mkdir(void)
{
	while (mkdir("dir", 0700))
		sched_yield();
}

static void unlock_mkdir(void)
{
	need(!rmdir("dir"), "rmdir");
}

static void lock_symlink(void)
{
	while (symlink("x", "file"))
		sched_yield();
}

/* The one that can take the token has it. */
static void lock_rename(void)
{
	while (rename("other", "file"))
		sched_yield();
}

static void unlock_rename(void)
{
	need(!rename("file", "other"), "rename");
}

static void lock_flock(void)
{
	own = open("file", O_RDWR);
	need(own >= 0 && !flock(own, LOCK_EX), "flock");
}

static void unlock_flock(void)
{
	need(!flock(own, LOCK_UN) && !close(own), "flock");
}

static void lock_flock_try(void)
{
	own = open("file", O_RDWR);
	while (flock(own, LOCK_EX | LOCK_NB))
		sched_yield();
}

/* Closing the file gives the lock back. */
static void unlock_close(void)
{
	need(!close(own), "close");
}

static void lock_ofd(void)
{
	struct flock l = {.l_type = F_WRLCK};

	own = open("file", O_RDWR);
	need(own >= 0 && !fcntl(own, F_OFD_SETLKW, &l), "fcntl");
}

static void unlock_ofd(void)
{
	struct flock l = {.l_type = F_UNLCK};

	need(!fcntl(own, F_OFD_SETLK, &l) && !close(own), "fcntl");
}

static const struct mechanism all[] = {
    {"open", set_none, give_open, get_open, PASSES},
    {"fopen", set_none, give_fopen, get_fopen, PASSES},
    {"access", set_none, give_open, get_access, PASSES},
    {"stat", set_other, give_rename, get_stat, PASSES},
    {"link", set_other, give_link, get_access, PASSES},
    {"symlink", set_other, give_symlink, get_readlink, PASSES},
    {"mkdir", set_none, give_mkdir, get_rmdir, PASSES},
    {"readdir", set_list, give_listed, get_readdir, PASSES},
    {"inotify", set_inotify, give_creat, get_inotify, PASSES},
    {"unlink", set_other, give_unlink, get_gone, PASSES},
    {"shm-open", set_shm, give_shm, get_shm, PASSES},
    {"write", set_file, give_write, get_pread, PASSES_BUFFER},
    {"pwrite", set_file, give_pwrite, get_size, PASSES_BUFFER},
    {"pwritev", set_file, give_pwritev, get_preadv, PASSES_BUFFER},
    {"ftruncate", set_file, give_ftruncate, get_size, PASSES},
    {"memfd", set_memfd, give_write, get_pread, PASSES_BUFFER},
    {"copy", set_copy, give_copy, get_pread, PASSES},
    {"lock-excl", set_none, lock_excl, unlock_excl, LOCKS},
    {"lock-link", set_other, lock_link, unlock_link, LOCKS},
    {"lock-mkdir", set_none, lock_mkdir, unlock_mkdir, LOCKS},
    {"lock-symlink", set_none, lock_symlink, unlock_link, LOCKS},
    {"lock-rename", set_other, lock_rename, unlock_rename, LOCKS},
    {"lock-flock", set_file, lock_flock, unlock_flock, LOCKS},
    {"lock-flock-try", set_file, lock_flock_try, unlock_flock, LOCKS},
    {"lock-flock-close", set_file, lock_flock, unlock_close, LOCKS},
    {"lock-ofd", set_file, lock_ofd, unlock_ofd, LOCKS},
};

RUN(all)
