/* A thread waits for a child process that takes long. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long a, b;

static void *one(void *arg)
{
	struct timespec t = {.tv_nsec = 300000000};
	pid_t pid;

	a = 1;
	pid = vfork();
	if (!pid) {
		syscall(SYS_nanosleep, &t, NULL);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	a = 2;
	return arg;
}

static void *two(void *arg)
{
	b = a;
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	printf("%ld\n", b);
	return 0;
}
