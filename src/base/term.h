/* The terminal: colours, numbers for people, a line of progress. */
#ifndef FR_BASE_TERM_H
#define FR_BASE_TERM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum fr_colour { FR_PLAIN_TEXT, FR_BOLD, FR_DIM, FR_RED, FR_GREEN, FR_YELLOW, FR_CYAN };

/* Whether text for this file may be coloured: a tty, TERM not dumb, NO_COLOR not set. */
bool fr_term_colour(FILE *f);
/* The escape sequence, or "" when on is false. FR_PLAIN_TEXT ends a colour. */
const char *fr_term_seq(bool on, enum fr_colour c);

/* "1,234,567" in a buffer of at least 32 bytes, which is returned. */
char *fr_term_number(uint64_t v, char *buf);
/* printf-ready "s" or "" for a count. */
static inline const char *fr_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* A line on stderr that is overwritten: nothing before a second has passed, nothing if stderr is
   not a tty. Zero-initialise; call step often (it is cheap), end once. */
struct fr_progress {
	uint64_t start_ns, last_ns;
	bool shown, off;
};
void fr_progress_step(struct fr_progress *p, const char *what, uint64_t done, uint64_t total);
void fr_progress_end(struct fr_progress *p);

/* Monotonic clock. */
uint64_t fr_now_ns(void);

#endif
