/*
 * fork from a thread while another works; the child makes threads, locks, allocates, and ends with
 * a status. What the parent does after it is recorded as before.
 */
#include "survive.h"
#include <sys/wait.h>

static long after_fork;

static void *child_worker(void *arg)
{
	for (int i = 0; i < 1000; i++) {
		shared_add(1);
		free(malloc(100));
	}
	return arg;
}

static void *background(void *arg)
{
	for (int i = 0; i < 2000; i++)
		*(volatile long *)arg += 1;
	return NULL;
}

static int in_child(void)
{
	pthread_t t[4];

	shared_count = 0;
	for (int i = 0; i < 4; i++)
		t[i] = start(child_worker, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	printf("child: %ld\n", shared_count);
	fflush(stdout);
	return shared_count == 4000 ? 5 : 6;
}

static void *after_worker(void *arg)
{
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&shared_lock);
		after_fork++;
		pthread_mutex_unlock(&shared_lock);
	}
	return arg;
}

static void *forker(void *arg)
{
	int *status = arg;

	for (int i = 0; i < 3; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(in_child());
		if (pid < 0 || waitpid(pid, status, 0) != pid)
			exit(99);
		printf("parent: the child ended with %d\n", WEXITSTATUS(*status));
		fflush(stdout);
	}
	return NULL;
}

int main(void)
{
	long mine = 0;
	int status = 0;
	pthread_t a = start(background, &mine), b = start(forker, &status), c;

	pthread_join(a, NULL);
	pthread_join(b, NULL);
	c = start(after_worker, NULL);
	after_worker(NULL);
	pthread_join(c, NULL);
	printf("parent: %ld %ld\n", mine, after_fork);
	return 0;
}
