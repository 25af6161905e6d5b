/*
 * Output files and folders that the user names: --json FILE, -o DIR. Other users may be able to
 * write to the same folder (/tmp, for example). Therefore:
 *
 *   - These functions follow a symbolic link on the path, or instead of the file, only if it
 *     belongs to this user or to root. Other users cannot redirect an output.
 *   - They replace a regular file by a new one, all or nothing. The new file keeps the mode and, if
 *     possible, the owner. Other hard links keep the old content.
 *   - They write into a device, FIFO or terminal and never replace it. The same holds for
 *     /dev/stdout and /proc/self/fd/N, which stand for an open descriptor.
 */
#ifndef FR_BASE_OUTPUT_H
#define FR_BASE_OUTPUT_H

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>

/* Writes n bytes to the file that the user named. */
int fr_output_write(const char *path, const void *p, size_t n, struct fr_err *reterr);
/* Makes a new folder with mode 0700, and missing parents. *ret is its descriptor. -EEXIST if it
   exists. */
int fr_output_mkdir(const char *path, int *ret, struct fr_err *reterr);
/* Opens a folder that belongs to this user, or makes it with mode 0700. *ret is its descriptor. */
int fr_output_enter(const char *path, int *ret, struct fr_err *reterr);
/* Makes a new folder with mode 0700 in an open folder. Returns its descriptor or -errno. */
int fr_output_mkdirat(int dir, const char *name);

#endif
