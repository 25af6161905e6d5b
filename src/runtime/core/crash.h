/* Reports the crash of the program: see crash.c. */
#ifndef FRT_CRASH_H
#define FRT_CRASH_H

#include <signal.h>
#include <stdbool.h>

/* At start. Leaves signals alone that already have a handler. */
void frt_crash_init(void);
/* The action that stands in for the default action of this signal; NULL: the default itself. */
const struct sigaction *frt_crash_default(int sig);
/* True if this is the runtime's handler: the program has then set the default action. */
bool frt_crash_is(const void *handler);
/* Replaces a handler of the runtime by that of a sanitizer before which it stands. */
void frt_crash_hide(int sig, struct sigaction *a);
/* True if this thread has failed an assertion and is printing the message. */
bool frt_crash_asserts(void);

#endif
