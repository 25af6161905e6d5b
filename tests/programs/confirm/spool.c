/*
 * A spooler that has a child process filter a job, and hands the result to a printer; the length is
 * noted after the printer may have started. Before that: fork, a pipe from the child, waitpid.
 *
 * expect: data-race length write@note read@print
 * harm: output
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filtered = PTHREAD_COND_INITIALIZER;
static char job[64];
static int ready, length;

static int filter(char *to, size_t size)
{
	int fd[2], status;
	ssize_t n;

	if (pipe(fd))
		return -1;
	pid_t child = fork();
	if (child == 0) {
		pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

		pthread_mutex_lock(&own);
		n = write(fd[1], "a job, filtered", 15);
		_exit(n == 15 ? 3 : 4);
	}
	close(fd[1]);
	n = read(fd[0], to, size);
	close(fd[0]);
	waitpid(child, &status, 0);
	return WEXITSTATUS(status) == 3 ? (int)n : -1;
}

static void *spool(void *arg)
{
	int n = filter(job, sizeof(job));

	pthread_mutex_lock(&m);
	ready = 1;
#ifdef FIXED
	length = n;
#endif
	pthread_cond_signal(&filtered);
	pthread_mutex_unlock(&m);
#ifndef FIXED
	length = n; /* @note */
#endif
	return arg;
}

static void *print(void *arg)
{
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&filtered, &m);
	pthread_mutex_unlock(&m);
	printf("%.*s\n", length, job); /* @print */
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t2, NULL, print, NULL);
	pthread_create(&t1, NULL, spool, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	return 0;
}
