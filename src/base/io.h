/* Files: complete reads and writes, mappings, and errors that name the file. */
#ifndef FR_BASE_IO_H
#define FR_BASE_IO_H

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Writes all n bytes, across EINTR and short writes. Returns 0 or -errno. *written, if not NULL, is
   the number of bytes written, also after an error. */
int fr_io_write_all(int fd, const void *p, size_t n, size_t *written);
/* Reads n bytes at an offset, fewer only at the end of the file. Returns their number or -errno. */
ssize_t fr_io_pread(int fd, void *p, size_t n, uint64_t off);

/* Opens a regular file for reading. Refuses anything else, and never blocks. Returns a descriptor
   or -errno. For files of run folders see dir.h. */
int fr_io_open(const char *path, struct fr_err *reterr);

/* A file mapped for reading; {.p = NULL, .n = 0} for an empty file. fr_io_map refuses anything but
   a regular file. */
struct fr_mapped {
	const uint8_t *p;
	size_t n;
};
int fr_io_map(const char *path, struct fr_mapped *ret, struct fr_err *reterr);
/* The same for an open file, which the caller closes. `path` is its name in errors. */
int fr_io_map_fd(int fd, const char *path, struct fr_mapped *ret, struct fr_err *reterr);
void fr_io_unmap(struct fr_mapped *m);
/* Returns the mapping's memory to the system until the next read. The file stays mapped. */
void fr_io_rest(const struct fr_mapped *m);

/* Reserves disk space: creates an unnamed file of this size in the folder. Closing the descriptor
   frees the space. Returns a descriptor or -errno. */
int fr_io_reserve(const char *dir, uint64_t bytes);

/* Makes a shared file of `size` zero bytes in memory. ret_path: the path by which this and the
   user's other processes can open it while *ret_fd is open. */
int fr_io_memory(const char *what, size_t size, int *ret_fd, char ret_path[64],
		 struct fr_err *reterr);

#endif
