/*
 * Files of run folders. A run folder may come from somebody else, and others may be able to write
 * where it stands, so nothing in it is taken for what its name says:
 *
 *   - A file is opened relative to its folder. No symbolic link below the folder is followed, and
 *     no "..", so that nothing outside is read or written.
 *   - Only regular files are opened, and never in a way that waits: a FIFO cannot hang us.
 *   - What is created is private from its first moment: folders 0700, files 0600, whatever the
 * umask.
 *   - A file is replaced by a new one under a name that cannot be guessed, then renamed. A FIFO or
 *     device in its place is refused, never replaced.
 *
 * A process that works with a run folder *enters* it: it then keeps the folder open, so that all
 * files come from the same folder even if somebody gives its name to another, and can lock it.
 * Paths stay strings: PATH below stands for "FOLDER/NAME" or "FOLDER/NUMBER/NAME" of a folder that
 * was entered; otherwise its last component is the file and the rest is followed as it is.
 *
 * The lock is the kernel's (flock on the folder itself): it needs no file, works on read-only media
 * and ends with the process, however that ends. Programs that we start do not inherit it.
 */
#ifndef FR_BASE_DIR_H
#define FR_BASE_DIR_H

#include "base/err.h"
#include "base/io.h"
#include <sys/stat.h>

/* ---- the folder ---- */

/* Opens a folder and remembers it under this name; again: nothing. */
int fr_dir_enter(const char *dir, struct fr_err *reterr);
/* The same for a folder that this process has made and opened. Takes the descriptor. */
void fr_dir_enter_made(const char *dir, int fd);
/* Whether this process made the folder. */
bool fr_dir_made(const char *dir);
/* Closes it, which ends the lock. */
void fr_dir_leave(const char *dir);
/* The descriptor of an entered folder, -1: not entered. */
int fr_dir_fd(const char *dir);
/* Locks an entered folder, for this process alone or together with others that only read; again:
   changes how. 0, -EWOULDBLOCK: another process has it, or -errno: it cannot be locked. */
int fr_dir_lock(const char *dir, bool alone);
/* A process that has a lock on the folder, 0: it is not known which. */
pid_t fr_dir_holder(const char *dir);
/* In a child that outlives its parent: gives up all folders, without a change to their locks. */
void fr_dir_forget(void);
/* Removes temporary files that killed processes left. Only while locked for this process alone. */
void fr_dir_sweep(const char *dir);

/* ---- its files ---- */

/* Opens a file for reading. A descriptor or -errno. */
int fr_dir_open(const char *path, struct fr_err *reterr);
/* Creates a file, which must not exist. flags: O_WRONLY or O_RDWR. A descriptor or -errno. */
int fr_dir_create(const char *path, int flags, struct fr_err *reterr);
int fr_dir_map(const char *path, struct fr_mapped *ret, struct fr_err *reterr);
/* Replaces a file by the n bytes, all or nothing. */
int fr_dir_replace(const char *path, const void *p, size_t n, struct fr_err *reterr);
/* 0 or -errno; a symbolic link is not followed. ret may be NULL. */
int fr_dir_stat(const char *path, struct stat *ret);
/* Makes a folder unless it exists. */
int fr_dir_mkdir(const char *path, struct fr_err *reterr);
/* 0 or -errno. Refuses what is neither a file nor a symbolic link: -EINVAL. */
int fr_dir_unlink(const char *path);
int fr_dir_rmdir(const char *path);
/* A folder below, to list it: a descriptor or -errno. */
int fr_dir_list(const char *path);

/* A new version of a file that is not in its place yet. */
struct fr_dir_new {
	int fd;	  /* to write to; -1: none */
	int from; /* the folder of the temporary file */
	char tmp[48];
};
int fr_dir_new(const char *path, struct fr_dir_new *ret, struct fr_err *reterr);
/* Puts it into its place, or (drop) removes it. */
int fr_dir_publish(struct fr_dir_new *n, const char *path, struct fr_err *reterr);
void fr_dir_drop(struct fr_dir_new *n);

/* For output.c: a temporary file in a folder. A descriptor or -errno. */
int fr_dir_temporary(int dir, char name[48]);

#endif
