/* flockfile() keeps the parts of a line together. */
#include "truth.h"

static int lines;

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		flockfile(stdout);
		fputs_unlocked("part one, ", stdout);
		putchar_unlocked('a' + i);
		fputs_unlocked(", part two\n", stdout);
		lines++;
		funlockfile(stdout);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return lines != 6;
}
