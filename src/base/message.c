/* Messages for the user on standard error. */
#include "message.h"
#include "escape.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *also; /* owned; NULL: nowhere else */

void fr_say_also_to(const char *path)
{
	if (also)
		fclose(also);
	also = fopen(path, "ae");
}

/* Without memory, prints the first 1023 bytes of the message. */
void fr_say(const char *fmt, ...)
{
	char some[1024], *text = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0) {
		va_start(ap, fmt);
		vsnprintf(some, sizeof(some), fmt, ap);
		va_end(ap);
		text = NULL;
	}
	fflush(stdout);
	flockfile(stderr);
	fputs("forerun: ", stderr);
	fr_escape_print(stderr, text ? text : some, strlen(text ? text : some));
	fputc('\n', stderr);
	if (also) {
		fr_escape_print(also, text ? text : some, strlen(text ? text : some));
		fputc('\n', also);
		fflush(also);
	}
	funlockfile(stderr);
	free(text);
}

void fr_say_bare(const char *text)
{
	for (; *text; text += text[strcspn(text, "\n")] ? strcspn(text, "\n") + 1 : strlen(text)) {
		fr_escape_print(stderr, text, strcspn(text, "\n"));
		fputc('\n', stderr);
	}
}
