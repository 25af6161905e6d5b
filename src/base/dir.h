/*
 * Files of run folders. A run folder may come from another user, and other users may be able to
 * write to it. Therefore forerun trusts no name in it:
 *
 *   - These functions open a file relative to its folder. They follow no symbolic link below the
 *     folder and no "..", so that they never read or write outside of it.
 *   - They open only regular files, and never block in open: a FIFO cannot hang forerun.
 *   - They create folders with mode 0700 and files with mode 0600, whatever the umask.
 *   - To replace a file, they write a new one under a name that cannot be guessed and rename it.
 *     They refuse to replace a FIFO or a device.
 *
 * A process that works with a run folder *enters* it. The process then keeps the folder open: all
 * files come from the same folder even if somebody renames it, and the process can lock it.
 * A path is either "FOLDER/NAME" or "FOLDER/NUMBER/NAME" of an entered folder, or any other path.
 * For any other path, the rules hold for the last component only.
 *
 * The lock is flock on the folder itself. It needs no file, works on read-only media and ends with
 * the process, however the process ends. Programs that forerun starts do not inherit it.
 */
#ifndef FR_BASE_DIR_H
#define FR_BASE_DIR_H

#include "base/err.h"
#include "base/io.h"
#include <sys/stat.h>

/* ---- the folder ---- */

/* Opens a folder and remembers it under this name. Does nothing if it is entered already. */
int fr_dir_enter(const char *dir, struct fr_err *reterr);
/* The same for a folder that this process has made and opened. Takes ownership of `fd`. */
void fr_dir_enter_made(const char *dir, int fd);
/* Returns whether this process made the folder. */
bool fr_dir_made(const char *dir);
/* Closes the folder, which ends the lock. */
void fr_dir_leave(const char *dir);
/* Returns the descriptor of an entered folder, -1 if it is not entered. */
int fr_dir_fd(const char *dir);
/* Locks an entered folder: exclusively (`alone`), or shared with other readers. A second call
   changes the mode. Returns 0, -EWOULDBLOCK if another process holds the lock, or another -errno
   if the folder cannot be locked. */
int fr_dir_lock(const char *dir, bool alone);
/* Returns the id of another process that holds a lock on the folder, 0 if it is not known. */
pid_t fr_dir_holder(const char *dir);
/* Leaves all folders without releasing their locks. For a child that outlives its parent. */
void fr_dir_forget(void);
/* Removes temporary files of killed processes. The caller must hold the exclusive lock. */
void fr_dir_sweep(const char *dir);

/* ---- its files ---- */

/* Opens a file for reading. Returns a descriptor or -errno. */
int fr_dir_open(const char *path, struct fr_err *reterr);
/* Creates a file, which must not exist. flags: O_WRONLY or O_RDWR. Returns a descriptor or -errno.
 */
int fr_dir_create(const char *path, int flags, struct fr_err *reterr);
/* Maps a file for reading; fr_io_unmap ends it. Returns 0 or -errno. */
int fr_dir_map(const char *path, struct fr_mapped *ret, struct fr_err *reterr);
/* Replaces a file by the n bytes, all of them or nothing. */
int fr_dir_replace(const char *path, const void *p, size_t n, struct fr_err *reterr);
/* Like lstat: follows no symbolic link. Returns 0 or -errno. ret may be NULL. */
int fr_dir_stat(const char *path, struct stat *ret);
/* Makes a folder unless it exists. */
int fr_dir_mkdir(const char *path, struct fr_err *reterr);
/* Returns 0 or -errno; -EINVAL for anything but a regular file or a symbolic link. */
int fr_dir_unlink(const char *path);
int fr_dir_rmdir(const char *path);
/* Renames a folder. Fails with -EEXIST or -ENOTEMPTY if the new name exists, unless as an empty
   folder. */
int fr_dir_move(const char *from, const char *to, struct fr_err *reterr);
/* Opens a folder to list it. Returns a descriptor or -errno. */
int fr_dir_list(const char *path);

/* A new version of a file that still has a temporary name. */
struct fr_dir_new {
	int fd;	  /* descriptor to write to; -1: none */
	int from; /* descriptor of the folder of the temporary file */
	char tmp[48];
};
/* Creates it. fr_dir_publish closes it and renames it to `path`; fr_dir_drop removes it. */
int fr_dir_new(const char *path, struct fr_dir_new *ret, struct fr_err *reterr);
int fr_dir_publish(struct fr_dir_new *n, const char *path, struct fr_err *reterr);
void fr_dir_drop(struct fr_dir_new *n);

/* For output.c: creates a temporary file in a folder. Returns a descriptor or -errno. */
int fr_dir_temporary(int dir, char name[48]);

#endif
