/* Errors with a message. A message that is too long is truncated. */
#include "base/err.h"
#include "base/assert.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int fill(struct fr_err *e, int code, const char *fmt, va_list ap)
{
	fr_assert(code < 0);
	if (e) {
		e->code = code;
		vsnprintf(e->msg, sizeof(e->msg), fmt, ap);
	}
	return code;
}

int fr_err_say(struct fr_err *e, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(e, code, fmt, ap);
	va_end(ap);
	return code;
}

int fr_err_set(struct fr_err *e, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(e, code, fmt, ap);
	va_end(ap);
	if (e) {
		size_t n = strlen(e->msg);

		snprintf(e->msg + n, sizeof(e->msg) - n, ": %s", strerror(-code));
	}
	return code;
}
