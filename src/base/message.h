/* How forerun speaks to the user, and the exit statuses of its commands. */
#ifndef FR_BASE_MESSAGE_H
#define FR_BASE_MESSAGE_H

enum { FR_EXIT_OK = 0, FR_EXIT_FOUND = 1, FR_EXIT_USAGE = 2, FR_EXIT_FAILED = 3 };

/* Prints "forerun: MESSAGE" on stderr, one line: control characters are escaped (base/escape.h). */
void fr_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints lines on stderr as they are, without "forerun: ": for editors that go to the place. */
void fr_say_bare(const char *text);

#endif
