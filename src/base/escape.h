/*
 * Escapes text from outside before it reaches a terminal. Names of programs, functions, files and
 * variables, arguments and lines of output may contain anything: an escape sequence would control
 * the reader's terminal, a line break would forge a line of forerun's output, and Unicode's
 * direction marks would reorder the text. All text that forerun prints for people passes through
 * one of these functions. JSON has its own escapes (json.h).
 */
#ifndef FR_BASE_ESCAPE_H
#define FR_BASE_ESCAPE_H

#include "base/mem.h"
#include <stdint.h>
#include <stdio.h>

/* Returns whether a character is invisible or affects the text around it: C0 and C1 controls,
   direction marks, characters of zero width, line separators, tags. */
bool fr_escape_needed(uint32_t c);
/* Decodes the character at s (n > 0 bytes are left) into *ret. Returns its length, 0 if the bytes
   are not UTF-8. */
unsigned fr_utf8_decode(const char *s, size_t n, uint32_t *ret);

/* Adds s to `out`: printable UTF-8 unchanged, the rest as \n, \t, \xNN (a byte) or \u{NNNN}. */
void fr_escape_add(struct fr_buf *out, const char *s, size_t n);
/* Escapes all bytes of a string from byte n on. */
void fr_escape_from(struct fr_buf *b, size_t n);
/* Prints s escaped. Allocates nothing. */
void fr_escape_print(FILE *f, const char *s, size_t n);
/* Returns s escaped, as a new string; NULL for NULL. */
char *fr_escape(const char *s);
/* printf whose escaped result is added to `out`: for one line that contains names. */
void fr_escape_printf(struct fr_buf *out, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
