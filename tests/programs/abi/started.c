/*
 * Prints what a program learns at its start: arguments, environment and its name. The runtime runs
 * before libc is initialised, and libc must not be initialised without these.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void __attribute__((constructor)) early(int argc, char **argv, char **envp)
{
	printf("constructor: %d arguments, %s, %s\n", argc, argv[0] ? "named" : "no name",
	       envp[0] ? "an environment" : "no environment");
}

static unsigned long settings(void)
{
	unsigned long sum = 0;

	for (char **e = environ; e && *e; e++) {
		if (!strncmp(*e, "FORERUN_", 8))
			continue;
		for (const char *s = *e; *s; s++)
			sum = sum * 31 + (unsigned char)*s;
	}
	return sum;
}

int main(int argc, char **argv, char **envp)
{
	pid_t child;
	int status;

	printf("%d arguments, %s, errno %d\n", argc,
	       argv[0] && strstr(argv[0], program_invocation_short_name) ? "its name" : "no name",
	       errno);
	printf("environment %lx, %s, path %s\n", settings(),
	       envp == environ ? "the same" : "another", getenv("PATH") ? "set" : "not set");
	printf("locale %s\n", setlocale(LC_ALL, "") ? "set" : "not set");
	fflush(stdout);
	child = fork();
	if (!child) {
		execl("/bin/sh", "sh", "-c", "echo ${PATH:+a path}", (char *)0);
		_exit(127);
	}
	waitpid(child, &status, 0);
	printf("child %d\n", WEXITSTATUS(status));
	return 0;
}
