/*
 * vfork lets the child use the parent's memory until it execs or exits. posix_spawn, system and
 * popen do so too. The events after each call are recorded as before.
 */
#include "survive.h"
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

static void *worker(void *arg)
{
	for (int i = 0; i < 100; i++)
		shared_add((long)arg);
	return NULL;
}

static void both(long n)
{
	pthread_t t = start(worker, (void *)n);

	worker((void *)n);
	pthread_join(t, NULL);
}

static int wait_for(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		exit(99);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int main(void)
{
	char *args[] = {"sh", "-c", "exit 6", NULL};
	pid_t pid;
	FILE *p;
	char line[32] = "";

	both(1);
	pid = vfork();
	if (pid == 0)
		_exit(5);
	printf("vfork and _exit: %d\n", wait_for(pid));
	both(10);
	pid = vfork();
	if (pid == 0) {
		execv("/bin/sh", args);
		_exit(99);
	}
	printf("vfork and exec: %d\n", wait_for(pid));
	both(100);
	pid = vfork();
	if (pid == 0) {
		execv("/nonexistent", args);
		_exit(9);
	}
	printf("vfork and a failing exec: %d\n", wait_for(pid));
	if (posix_spawn(&pid, "/bin/sh", NULL, NULL, args, environ))
		return 99;
	printf("posix_spawn: %d\n", wait_for(pid));
	printf("system: %d\n", WEXITSTATUS(system("exit 8")));
	p = popen("echo piped", "r");
	if (!p || !fgets(line, sizeof(line), p))
		return 99;
	printf("popen: %d %s", WEXITSTATUS(pclose(p)), line);
	both(1000);
	printf("%ld\n", shared_count);
	return 0;
}
