#include "symbols/demangle.h"
#include "base/mem.h"
#include <string.h>

/* A function of the C++ runtime. */
extern char *__cxa_demangle(const char *name, char *buf, size_t *n, int *status);

char *fr_demangle(const char *name)
{
	char *plain = strncmp(name, "_Z", 2) ? NULL : __cxa_demangle(name, NULL, NULL, NULL);

	return plain ? plain : fr_xstrdup(name);
}
