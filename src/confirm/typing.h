/* What was typed at the terminal of the recorded run, typed again when the program asks for it. */
#ifndef FR_CONFIRM_TYPING_H
#define FR_CONFIRM_TYPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fr_typing {
	const char *s; /* all that was typed */
	size_t n, at;  /* at: typed again */
	bool over;     /* ... and its end was told */
	uint64_t where;
	unsigned looks;
	bool sent; /* what was typed last: nothing has been seen of it since */
};

/* How many of the n bytes come next: a line, or a key where the program takes keys. */
size_t fr_typing_next(const char *s, size_t n, bool lines);
/*
 * One look at the program; types if it is time to. `slave`, `master`: ends of the terminal. asleep:
 * a thread that could go on sleeps; where: a number that changes when the program gets on.
 */
void fr_typing_look(struct fr_typing *t, int slave, int master, bool asleep, uint64_t where);

#endif
