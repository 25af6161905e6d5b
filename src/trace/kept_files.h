/*
 * The files that the recorded run changed, as they were before it first changed them. The recorder
 * keeps them (record/file_keeper.h), and each re-execution begins with them
 * (confirm/execution_world.h).
 *
 * The folder's file `kept` has an entry for each path, in the order in which the run changed them:
 * a line of text with mode (octal, 0: there was no such file), time of the last change (nanoseconds
 * since 1970), number of the copy (0: none), length of the path, and the path itself, which may
 * contain any byte. The copy with number N is the folder's file `kept.N`: the content of a regular
 * file, or the target of a symbolic link. The file `kept` is missing if the run changed nothing.
 */
#ifndef FR_TRACE_KEPT_FILES_H
#define FR_TRACE_KEPT_FILES_H

#include "base/err.h"
#include "base/mem.h"
#include <stdbool.h>
#include <stdint.h>

struct fr_kept_file {
	char *path;    /* absolute, without symbolic links */
	uint32_t mode; /* as st_mode; 0: absent */
	int64_t mtime; /* nanoseconds */
	uint32_t copy; /* number of the copy, 0: none */
};
struct fr_kept_files {
	FR_VEC(struct fr_kept_file) file;
};

/* Appends an entry to the open file. Returns 0 or -errno. */
int fr_kept_write(int fd, const struct fr_kept_file *f);
/* Reads the list of a run folder; it is empty if there is none. A truncated last entry is ignored.
   -EBADMSG: damaged. The caller frees *ret also after an error. */
int fr_kept_read(const char *dir, struct fr_kept_files *ret, struct fr_err *reterr);
void fr_kept_free(struct fr_kept_files *k);
/* Returns the path of a copy, as a new string. */
char *fr_kept_copy(const char *dir, uint32_t number);
/* Can a re-execution get this file back? Not if it is a device, or too large to be kept. */
bool fr_kept_whole(const struct fr_kept_file *f);

#endif
