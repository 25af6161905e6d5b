/* A child reads a file that one thread wrote, and tells another thread with a signal. */
#include "truth.h"

static int published;
static pid_t child;

static void *give(void *unused)
{
	int fd = open("in.tmp", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	tick();
	published = 1;
	assert(fd >= 0 && write(fd, "x", 1) == 1);
	close(fd);
	return unused;
}

static void *get(void *unused)
{
	sigset_t s;
	int sig;

	sigemptyset(&s);
	sigaddset(&s, SIGUSR1);
	assert(sigwait(&s, &sig) == 0 && sig == SIGUSR1);
	assert(published == 1);
	assert(look());
	return unused;
}

int main(void)
{
	sigset_t s;

	unlink("in.tmp");
	sigemptyset(&s);
	sigaddset(&s, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &s, NULL);
	child = fork();
	if (!child) {
		struct stat st;

		while (stat("in.tmp", &st) < 0 || !st.st_size)
			usleep(500);
		kill(getppid(), SIGUSR1);
		_exit(0);
	}
	both(give, get, NULL);
	assert(waitpid(child, NULL, 0) == child);
	unlink("in.tmp");
	return 0;
}
