/* A child sees a flag in shared memory and answers with a signal. */
#include "truth.h"
#include <stdatomic.h>
#include <sys/mman.h>

static _Atomic int *flag;
static int published;

static void *give(void *unused)
{
	tick();
	published = 1;
	*flag = 1;
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
	pid_t child;

	flag = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(flag != MAP_FAILED);
	sigemptyset(&s);
	sigaddset(&s, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &s, NULL);
	child = fork();
	if (!child) {
		while (!*flag)
			usleep(500);
		kill(getppid(), SIGUSR1);
		_exit(0);
	}
	both(give, get, NULL);
	assert(waitpid(child, NULL, 0) == child);
	return 0;
}
