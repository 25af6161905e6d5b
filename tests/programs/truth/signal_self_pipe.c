/*
 * A handler writes a byte into a pipe that a thread reads: the self-pipe trick.
 */
#include "truth.h"
static int p[2];
static int prepared;
static void on_signal(int sig)
{
	char c = (char)sig;
	int saved = errno;

	assert(write(p[1], &c, 1) == 1);
	errno = saved;
}
static void *reader(void *arg)
{
	char c;

	while (read(p[0], &c, 1) != 1)
		;
	assert(c == SIGUSR1 && prepared == 3);
	return arg;
}
int main(void)
{
	pthread_t t;

	assert(!pipe(p));
	signal(SIGUSR1, on_signal);
	assert(!pthread_create(&t, NULL, reader, NULL));
	prepared = 3;
	raise(SIGUSR1);
	pthread_join(t, NULL);
	return 0;
}
