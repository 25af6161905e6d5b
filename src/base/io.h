/* Files: whole reads and writes, with errors that name the file. */
#ifndef FR_BASE_IO_H
#define FR_BASE_IO_H

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Writes all of it, through EINTR and short writes. 0 or -errno; *written counts what went out. */
int fr_io_write_all(int fd, const void *p, size_t n, size_t *written);
/* Reads up to n bytes at an offset, less only at the end of the file. Bytes or -errno. */
ssize_t fr_io_pread(int fd, void *p, size_t n, uint64_t off);

/* Opens a regular file for reading; refuses anything else, and never waits for it. A descriptor or
   -errno. Files of run folders: see dir.h. */
int fr_io_open(const char *path, struct fr_err *reterr);

/* A file mapped for reading; an empty file is {.p = NULL, .n = 0}. Refuses what is not a regular
   file. */
struct fr_mapped {
	const uint8_t *p;
	size_t n;
};
int fr_io_map(const char *path, struct fr_mapped *ret, struct fr_err *reterr);
int fr_io_map_fd(int fd, const char *path, struct fr_mapped *ret, struct fr_err *reterr);
void fr_io_unmap(struct fr_mapped *m);
/* It will not be read for a while: gives back its memory. It stays mapped. */
void fr_io_rest(const struct fr_mapped *m);

/* A file without a name in a folder that takes so many bytes of its disk until it is closed. A
   descriptor or -errno. */
int fr_io_reserve(const char *dir, uint64_t bytes);

#endif
