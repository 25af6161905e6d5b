/* Children by fork and exec, posix_spawn(), system() and popen(). */
#include "truth.h"
#include <spawn.h>

extern char **environ;

static void *work(void *unused)
{
	char *argv[] = {"sh", "-c", "exit 7", NULL}, line[32] = "";
	pid_t p;
	int st;
	FILE *f;

	tick();
	assert(posix_spawn(&p, "/bin/sh", NULL, NULL, argv, environ) == 0);
	assert(waitpid(p, &st, 0) == p && WEXITSTATUS(st) == 7);
	tick();
	st = system("exit 3");
	assert(WEXITSTATUS(st) == 3);
	f = popen("echo piped", "r");
	assert(f && fgets(line, sizeof(line), f) && strcmp(line, "piped\n") == 0);
	assert(pclose(f) == 0);
	tick();
	return unused;
}

int main(void)
{
	return beside_look(work);
}
