/* Errors with a message. A message that is too long is cut, never lost. */
#include "base/err.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int fr_err_say(struct fr_err *e, int code, const char *fmt, ...)
{
	va_list ap;

	assert(code < 0);
	if (!e)
		return code;
	e->code = code;
	va_start(ap, fmt);
	vsnprintf(e->msg, sizeof(e->msg), fmt, ap);
	va_end(ap);
	return code;
}

int fr_err_set(struct fr_err *e, int code, const char *fmt, ...)
{
	va_list ap;
	size_t n;

	assert(code < 0);
	if (!e)
		return code;
	e->code = code;
	va_start(ap, fmt);
	vsnprintf(e->msg, sizeof(e->msg), fmt, ap);
	va_end(ap);
	n = strlen(e->msg);
	snprintf(e->msg + n, sizeof(e->msg) - n, ": %s", strerror(-code));
	return code;
}
