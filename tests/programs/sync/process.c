/* fork with threads in the child, _Fork, vfork, exec that fails, exec of ourselves, _exit. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *arg)
{
	pthread_mutex_lock(&m);
	free(malloc(10));
	pthread_mutex_unlock(&m);
	return arg;
}

static int in_child(void)
{
	pthread_t t;

	for (int i = 0; i < 10; i++) {
		if (pthread_create(&t, NULL, thread, NULL) || pthread_join(t, NULL))
			return 9;
	}
	return 5;
}

static int status(pid_t pid)
{
	int s;

	waitpid(pid, &s, 0);
	return WEXITSTATUS(s);
}

int main(int argc, char **argv)
{
	pid_t pid;

	if (argc > 1) {
		printf("after exec %s %s\n", argv[1], getenv("FORERUN_TEST") ? "with" : "without");
		fflush(stdout);
		_exit(4);
	}
	setvbuf(stdout, NULL, _IONBF, 0);
	pid = fork();
	if (!pid)
		exit(in_child());
	printf("fork %d\n", status(pid));
	pid = _Fork();
	if (!pid)
		_exit(6);
	printf("_Fork %d\n", status(pid));
	pid = vfork();
	if (!pid) {
		execl("/no/such/program", "x", (char *)NULL);
		_exit(7);
	}
	printf("vfork %d\n", status(pid));
	pid = vfork();
	if (!pid) {
		execlp("sh", "sh", "-c", "exit 8", (char *)NULL);
		_exit(7);
	}
	printf("vfork exec %d\n", status(pid));
	printf("system %d\n", WEXITSTATUS(system("exit 3")));
	printf("failed %d\n", execv("/no/such/program", argv));
	thread(NULL);
	char *env[] = {"FORERUN_TEST=1", NULL};
	execle("/proc/self/exe", argv[0], "one", (char *)NULL, env);
	return 1;
}
