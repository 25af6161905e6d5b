/* What kills a program that runs under a schedule: see crash.c. */
#ifndef FRT_CRASH_H
#define FRT_CRASH_H

#include <signal.h>
#include <stdbool.h>

/* At start, under control. Signals that somebody handles already are left alone. */
void frt_crash_init(void);
/* What stands for the signal's default action; NULL: that itself does. */
const struct sigaction *frt_crash_default(int sig);
/* Is it ours? Then the program has set the default. */
bool frt_crash_is(const void *handler);
/* This thread has failed an assertion, and prints what is to be said of it. */
bool frt_crash_asserts(void);

#endif
