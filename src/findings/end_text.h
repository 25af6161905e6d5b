/* Finds messages about the end of a program in its output. */
#ifndef FR_FINDINGS_END_TEXT_H
#define FR_FINDINGS_END_TEXT_H

#include <stddef.h>

/* Returns the line of the first sanitizer report that `then` lacks, a new string; NULL = none. */
char *fr_output_sanitizer(const char *s, size_t n, const char *then, size_t nthen);
/* Returns "file:line: Assertion `text' failed", as libc prints it, a new string; NULL = none. */
char *fr_output_assertion(const char *s, size_t n);

#endif
