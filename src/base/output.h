/*
 * Outputs whose place the user names: --json FILE, -o DIR. The place may be one where others can
 * write too, /tmp for one, so:
 *
 *   - A symbolic link on the way, or in the place of the file, is followed only if it belongs to
 *     this user or to root. Others cannot lead us to a file of their choice.
 *   - A regular file is replaced by a new one, all or nothing, and keeps its mode and, where that
 * is possible, its owner. Other names of it (hard links) keep the old content.
 *   - A device, FIFO or terminal is written into, never replaced. The same holds for
 *     /dev/stdout and /proc/self/fd/N, which stand for an open descriptor.
 */
#ifndef FR_BASE_OUTPUT_H
#define FR_BASE_OUTPUT_H

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>

/* Writes n bytes to the file that the user named. */
int fr_output_write(const char *path, const void *p, size_t n, struct fr_err *reterr);
/* Makes a new folder with mode 0700, and those above it. -EEXIST: it exists. *ret: open. */
int fr_output_mkdir(const char *path, int *ret, struct fr_err *reterr);
/* Makes a folder with mode 0700 unless it exists and belongs to this user. *ret: open. */
int fr_output_enter(const char *path, int *ret, struct fr_err *reterr);
/* Makes a new folder with mode 0700 in an open one and opens it. A descriptor or -errno. */
int fr_output_mkdirat(int dir, const char *name);

#endif
