/*
 * Text from outside, made harmless for a terminal. Names of programs, functions, files and
 * variables, arguments and lines of output may hold anything: an escape sequence would act on the
 * reader's terminal, a line break would forge a line of ours, and Unicode's direction marks would
 * reorder what is read. Everything that forerun prints for people passes one of these functions;
 * JSON has escapes of its own (json.h).
 */
#ifndef FR_BASE_ESCAPE_H
#define FR_BASE_ESCAPE_H

#include "base/mem.h"
#include <stdint.h>
#include <stdio.h>

/* Is a character invisible, or does it act on the text around it? Controls of C0 and C1, marks of
   direction and of zero width, separators of lines, tags. */
bool fr_escape_needed(uint32_t c);
/* Decodes the character at s, of n > 0 bytes, into *ret and returns its length; 0: not UTF-8. */
unsigned fr_utf8_decode(const char *s, size_t n, uint32_t *ret);

/* Adds s: printable UTF-8 as it is, the rest as \n, \t, \xNN (a byte) or \u{NNNN}. */
void fr_escape_add(struct fr_buf *out, const char *s, size_t n);
/* Escapes what was added to a string since it had n bytes. */
void fr_escape_from(struct fr_buf *b, size_t n);
/* Prints it in this way. Needs no memory. */
void fr_escape_print(FILE *f, const char *s, size_t n);
/* The same as a new string; NULL for NULL. */
char *fr_escape(const char *s);
/* printf whose result is added in this way: for one line that holds names. */
void fr_escape_printf(struct fr_buf *out, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
