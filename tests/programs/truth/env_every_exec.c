/*
 * A double-forked daemon reports through a FIFO; threads meanwhile popen a command, posix_spawn another with file
 * actions, and vfork+exec a third; every status and text is checked. Descriptors are close-on-exec.
 */
#include "truth.h"
#include <spawn.h>
#include <sys/prctl.h>

extern char **environ;
static char fifo[64];

static void *by_popen(void *unused)
{
	char line[64];
	FILE *p = popen("echo popen $((6 * 7))", "r");

	assert(p && fgets(line, sizeof(line), p) && !strcmp(line, "popen 42\n"));
	assert(pclose(p) == 0);
	return unused;
}

static void *by_spawn(void *unused)
{
	char *argv[] = {"sh", "-c", "read x; echo got $x; exit 4", NULL}, buf[64];
	posix_spawn_file_actions_t a;
	int in[2], out[2], st;
	ssize_t n, all = 0;
	pid_t pid;

	assert(!pipe2(in, O_CLOEXEC) && !pipe2(out, O_CLOEXEC));
	posix_spawn_file_actions_init(&a);
	posix_spawn_file_actions_adddup2(&a, in[0], 0);
	posix_spawn_file_actions_adddup2(&a, out[1], 1);
	assert(posix_spawnp(&pid, "sh", &a, NULL, argv, environ) == 0);
	posix_spawn_file_actions_destroy(&a);
	close(in[0]);
	close(out[1]);
	assert(write(in[1], "spawn\n", 6) == 6);
	close(in[1]);
	while ((n = read(out[0], buf + all, sizeof(buf) - (size_t)all)) > 0)
		all += n;
	close(out[0]);
	assert(all == 10 && !memcmp(buf, "got spawn\n", 10));
	assert(waitpid(pid, &st, 0) == pid && WEXITSTATUS(st) == 4);
	return unused;
}

static void *by_vfork(void *unused)
{
	int st;
	pid_t pid = vfork();

	if (!pid) {
		execlp("true", "true", (char *)NULL);
		_exit(127);
	}
	assert(pid > 0 && waitpid(pid, &st, 0) == pid && st == 0);
	return unused;
}

static void *listen_fifo(void *unused)
{
	char buf[64] = "";
	ssize_t n, all = 0;
	int fd = open(fifo, O_RDONLY | O_CLOEXEC);

	assert(fd >= 0);
	while ((n = read(fd, buf + all, sizeof(buf) - 1 - (size_t)all)) > 0)
		all += n;
	close(fd);
	assert(!strncmp(buf, "daemon session 1", 16));
	return unused;
}

int main(void)
{
	void *(*all[])(void *) = {listen_fifo, by_popen, by_spawn, by_vfork};
	pthread_t t[4];
	pid_t pid;
	int st;

	snprintf(fifo, sizeof(fifo), "fifo.%d", (int)getpid());
	assert(mkfifo(fifo, 0600) == 0);
	pid = fork();
	if (!pid) {
		pid_t me = setsid();

		if (fork())
			_exit(me != getpid());
		int fd = open(fifo, O_WRONLY);
		dprintf(fd, "daemon session %d", getsid(0) == me);
		_exit(0);
	}
	for (int i = 0; i < 4; i++)
		assert(pthread_create(&t[i], NULL, all[i], NULL) == 0);
	assert(waitpid(pid, &st, 0) == pid && st == 0);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	unlink(fifo);
	puts("all reported");
	return 0;
}
