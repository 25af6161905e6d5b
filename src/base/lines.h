/* The lines of a text. */
#ifndef FR_BASE_LINES_H
#define FR_BASE_LINES_H

#include "base/mem.h"
#include <string.h>

struct fr_line {
	const char *s; /* not terminated; with its newline, if it has one */
	size_t n;
};
typedef FR_VEC(struct fr_line) fr_line_vec;

/* Adds the lines of a text of n bytes. They point into it. */
static inline void fr_lines_split(const char *s, size_t n, fr_line_vec *ret)
{
	while (n) {
		const char *end = memchr(s, '\n', n);
		size_t k = end ? (size_t)(end - s) + 1 : n;

		fr_vec_push(ret, ((struct fr_line){s, k}));
		s += k;
		n -= k;
	}
}

#endif
