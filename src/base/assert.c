#include "base/assert.h"
#include <stdio.h>
#include <stdlib.h>

void fr_assert_failed(const char *what, const char *file, int line)
{
	fprintf(stderr, "forerun: internal error: %s:%d: '%s' does not hold; please report this\n",
		file, line, what);
	abort();
}
