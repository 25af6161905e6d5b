#include "base/debug.h"
#include "base/assert.h"
#include "base/escape.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const name[] = {
#define FR_X(n, s) s,
    FR_DEBUG_SUBSYSTEMS(FR_X)
#undef FR_X
};
/* Set before there is a second thread. */
static bool on[FR_DEBUG_COUNT];

static bool switch_on(const char *word, size_t n)
{
	bool all = n == strlen("all") && !strncmp(word, "all", n), known = all;

	for (size_t i = 0; i < FR_DEBUG_COUNT; i++)
		if (all || (strlen(name[i]) == n && !strncmp(name[i], word, n)))
			known = on[i] = true;
	return known;
}

const char *fr_debug_init(void)
{
	const char *word = getenv("FORERUN_DEBUG"), *unknown = NULL;

	while (word && *word) {
		size_t n = strcspn(word, ",");

		if (n && !switch_on(word, n) && !unknown)
			unknown = word;
		word += n + (word[n] == ',');
	}
	return unknown;
}

bool fr_debug_on(enum fr_debug s)
{
	fr_assert(s < FR_DEBUG_COUNT);
	return on[s];
}

void fr_debug_print(enum fr_debug s, const char *fmt, ...)
{
	char *text;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	flockfile(stderr);
	fprintf(stderr, "forerun[%s]: ", name[s]);
	fr_escape_print(stderr, text, (size_t)n);
	fputc('\n', stderr);
	funlockfile(stderr);
	free(text);
}
