/*
 * The purity table: library functions that forerun did not compile, and that do no harm if the
 * program calls them more or less often, or with other numbers. Such a function returns; it waits
 * for no thread of the program, calls none of its functions, and changes no memory that the program
 * reads. Its result depends on its arguments.
 *
 * A file is text, one function a line: its linkage name, and a letter for each parameter:
 *   n  a number: it influences nothing but the result
 *   i  a number that influences nothing, not even the result
 *   p  a pointer, or a number that decides about memory: another value may do anything
 *   v  the rest of the arguments (`...`): numbers are n, pointers are p
 * Parameters beyond the letters are p. `#` begins a comment. share/forerun/pure is the table that
 * forerun brings along; `--pure FILE` adds a table.
 */
#ifndef FR_CAUSALITY_SLICE_PURE_H
#define FR_CAUSALITY_SLICE_PURE_H

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fr_pure_use { FR_PURE_NUMBER, FR_PURE_IGNORED, FR_PURE_USED };

struct fr_pure;
struct fr_pure *fr_pure_new(void);
void fr_pure_free(struct fr_pure *p);
static inline void fr_pure_freep(struct fr_pure **p)
{
	fr_pure_free(*p);
}
/* Adds the functions of a file. A later line replaces an earlier one of the same function. Returns
   0 or -errno; -EINVAL with file and line for a line that is not understood. */
int fr_pure_read(struct fr_pure *p, const char *path, struct fr_err *reterr);
/* The same from `n` bytes of text. */
int fr_pure_parse(struct fr_pure *p, const char *path, const char *text, size_t n,
		  struct fr_err *reterr);
bool fr_pure_has(const struct fr_pure *p, const char *function);
/* Returns the use of an argument. The table must have the function. */
enum fr_pure_use fr_pure_param(const struct fr_pure *p, const char *function, uint32_t i);
/* Number of functions. */
size_t fr_pure_count(const struct fr_pure *p);

#endif
