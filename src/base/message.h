/* Messages for the user on standard error, and the exit statuses of the commands. */
#ifndef FR_BASE_MESSAGE_H
#define FR_BASE_MESSAGE_H

enum { FR_EXIT_OK = 0, FR_EXIT_FOUND = 1, FR_EXIT_USAGE = 2, FR_EXIT_FAILED = 3 };

/* Prints "forerun: MESSAGE" on stderr as one line, with control characters escaped (escape.h). */
void fr_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Appends each further message to this file too, one a line, without "forerun: ". */
void fr_say_also_to(const char *path);

/* Prints lines on stderr, escaped, without "forerun: ": for editors that parse "file:line:". */
void fr_say_bare(const char *text);

#endif
