/* Types the recorded terminal input again when the program asks for it. */
#ifndef FR_CONFIRM_TYPING_H
#define FR_CONFIRM_TYPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fr_typing {
	const char *s; /* the recorded input */
	size_t n, at;  /* at: bytes typed so far */
	bool over;     /* the end of input was typed too */
	uint64_t where;
	unsigned looks;
	bool sent; /* the last input has not yet been seen unread */
};

/* Returns how many of the n bytes to type next: a line, or one key if the program reads keys. */
size_t fr_typing_next(const char *s, size_t n, bool lines);
/* Looks at the program once, and types if it is time to. `slave`, `master`: ends of the terminal.
   asleep: a thread that could continue sleeps. where: a number that changes with progress. */
void fr_typing_look(struct fr_typing *t, int slave, int master, bool asleep, uint64_t where);

#endif
