/* Correct. Tries argv[1] names of files that do not exist, one after the other. */
#define _GNU_SOURCE
#include "neighbour.h"

int main(int argc, char **argv)
{
	char name[32];

	for (int i = 0, n = argc > 1 ? atoi(argv[1]) : 1; i < n; i++) {
		snprintf(name, sizeof(name), "no-%d", i);
		if (access(name, F_OK) == 0)
			return 2;
	}
	neighbours();
	return 0;
}
