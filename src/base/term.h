/* The terminal: colours, readable numbers, a progress line; and the monotonic clock. */
#ifndef FR_BASE_TERM_H
#define FR_BASE_TERM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum fr_colour { FR_PLAIN_TEXT, FR_BOLD, FR_DIM, FR_RED, FR_GREEN, FR_YELLOW, FR_CYAN };

/* Returns whether text for this file may be coloured: a tty, TERM not dumb, NO_COLOR not set. */
bool fr_term_colour(FILE *f);
/* Returns the escape sequence, "" when `on` is false. FR_PLAIN_TEXT ends a colour. */
const char *fr_term_seq(bool on, enum fr_colour c);

/* Writes "1,234,567" to a buffer of at least 32 bytes and returns it. */
char *fr_term_number(uint64_t v, char *buf);
/* Returns the plural ending of a count: "s" or "". */
static inline const char *fr_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* A progress line on stderr. It appears after one second, and only if stderr is a tty. Initialise
   with zeros, call step often (it is cheap), and end once. */
struct fr_progress {
	uint64_t start_ns, last_ns;
	bool shown, off;
};
/* Shows "what: done of total (percent)", or "what: done" if total is 0. */
void fr_progress_step(struct fr_progress *p, const char *what, uint64_t done, uint64_t total);
void fr_progress_end(struct fr_progress *p);

/* Returns the monotonic clock in nanoseconds. */
uint64_t fr_now_ns(void);
double fr_now_s(void); /* in seconds */

#endif
