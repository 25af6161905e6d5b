/* String functions of libc on private buffers and on shared constants. */
#include "truth.h"
#include <ctype.h>

static const char *const names[] = {"alpha", "beta", "gamma"};

static void *work(void *unused)
{
	char buf[64] = "", *copy, *end;

	for (int i = 0; i < 3; i++) {
		strcat(buf, names[i]);
		strncat(buf, "-", 2);
	}
	copy = strdup(buf);
	assert(strlen(copy) == 17 && strcmp(copy, "alpha-beta-gamma-") == 0);
	for (char *p = copy; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	assert(strstr(copy, "BETA") == copy + 6 && strchr(copy, 'G') == copy + 11);
	assert(strtol("42x", &end, 10) == 42 && *end == 'x');
	assert(sscanf("7 8", "%d %*d", &(int){0}) == 1);
	free(copy);
	tick();
	return unused;
}

int main(void)
{
	return both(work, work, NULL);
}
