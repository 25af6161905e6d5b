/* A handler uses only async-signal-safe calls; the main program holds locks meanwhile. */
#include "truth.h"

static int p[2];

static void on_signal(int sig)
{
	int saved = errno;

	(void)sig;
	if (write(p[1], "s", 1) != 1)
		_exit(9);
	errno = saved;
}

static void *work(void *unused)
{
	pthread_mutex_lock(&truth_lock);
	raise(SIGUSR1);
	truth_count++;
	pthread_mutex_unlock(&truth_lock);
	return unused;
}

int main(void)
{
	char c;

	assert(pipe(p) == 0);
	signal(SIGUSR1, on_signal);
	beside_look(work);
	assert(read(p[0], &c, 1) == 1 && c == 's');
	return 0;
}
