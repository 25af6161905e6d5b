/* A program that ends as its argument says, in its second thread, which holds a lock. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *volatile nowhere;
static volatile int three = 3;

/* Another process sends the signal. */
static void be_killed(int sig)
{
	pid_t pid = getpid();

	if (!fork()) {
		kill(pid, sig);
		_exit(0);
	}
	for (;;)
		pause();
}

static void write_nowhere(void)
{
	int ends[2];

	if (pipe(ends) == 0 && close(ends[0]) == 0 && write(ends[1], "x", 1) < 0)
		perror("write");
}

static void *worker(void *arg)
{
	const char *how = arg;

	pthread_mutex_lock(&lock); /* @LOCK */
	if (!strcmp(how, "crash"))
		*nowhere = 1; /* @CRASH */
	else if (!strcmp(how, "assert"))
		assert(three == 4); /* @ASSERT */
	else if (!strcmp(how, "abort"))
		abort();
	else if (!strcmp(how, "raise"))
		raise(SIGFPE);
	else if (!strcmp(how, "pipe"))
		write_nowhere();
	else if (!strcmp(how, "term"))
		raise(SIGTERM);
	else if (!strcmp(how, "killed"))
		be_killed(SIGSEGV);
	else if (!strcmp(how, "exit"))
		exit(3);
	else if (!strcmp(how, "wait"))
		for (;;)
			pause();
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;

	(void)argc;
	if (!strcmp(argv[1], "wait"))
		puts("waits");
	fflush(stdout);
	pthread_create(&t, NULL, worker, argv[1]);
	pthread_join(t, NULL);
	return 0;
}
