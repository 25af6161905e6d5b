/* Types the recorded terminal input again when the program asks for it. */
#ifndef FR_CONFIRM_TERMINAL_INPUT_H
#define FR_CONFIRM_TERMINAL_INPUT_H

#include "process/terminal_wait.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fr_typing {
	const char *s; /* the recorded input */
	size_t n, at;  /* at: bytes typed so far */
	bool over;     /* the end of input was typed too */
	uint64_t where;
	unsigned samples;
};

/* The state of the program. */
struct fr_typing_seen {
	bool unread;	   /* before `asks`: typed input is unread */
	enum fr_asks asks; /* a thread that could continue */
	uint64_t where;	   /* a number that changes with progress */
};

/* Returns how many of the n bytes to type next: a line, or one key if the program reads keys. */
size_t fr_typing_next(const char *s, size_t n, bool lines);
/* Is typed input unread? Everything typed before has been delivered when this returns, because poll
   makes the kernel do so. A thread that is seen asleep afterwards needs more. */
bool fr_typing_unread(int slave);
/* Types if it is time to. `slave`, `master`: ends of the terminal. */
void fr_typing_check(struct fr_typing *t, int slave, int master, const struct fr_typing_seen *seen);

#endif
