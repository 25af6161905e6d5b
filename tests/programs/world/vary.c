/*
 * Lines that vary from run to run beside lines that do not. argv[1] names the source of the
 * variation. Correct. With BUGGY the program fails if counts were lost, which happens only in some
 * interleavings. BUGGY=1 prints a line, 2 changes the exit status, 3 fails an assertion.
 */
#define _GNU_SOURCE
#include "neighbour.h"
#include <assert.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void say(const char *what)
{
	struct timespec t;
	pid_t child;

	if (!strcmp(what, "child")) {
		child = fork();
		if (!child)
			_exit(0);
		waitpid(child, NULL, 0);
		printf("[%d] child\n", (int)child);
	} else if (!strcmp(what, "time")) {
		clock_gettime(CLOCK_REALTIME, &t);
		printf("%lld.%09ld begins\n", (long long)t.tv_sec, t.tv_nsec);
	} else if (!strcmp(what, "name")) {
		char name[] = "name.XXXXXX"; /* with digits in it, or without */
		int fd = mkstemp(name);

		printf("%s is made\n", name);
		unlink(name);
		close(fd);
	} else {
		unsigned long long tsc = __builtin_readcyclecounter();

		printf("tick %llu of %s\n", tsc, what);
	}
}

int main(int argc, char **argv)
{
	say(argc > 1 ? argv[1] : "cycles");
	neighbours();
#if BUGGY == 1
	printf("torn %d\n", torn);
#elif BUGGY == 2
	if (torn)
		return 3;
#elif BUGGY == 3
	assert(!torn);
#endif
	say(argc > 1 ? argv[1] : "cycles");
	return 0;
}
