/* A parent and its child talk over two pipes; two threads of the parent share the connection. */
#include "truth.h"

static int to[2], from[2];
static pthread_mutex_t wire = PTHREAD_MUTEX_INITIALIZER;

static int ask(int v)
{
	unsigned char c = (unsigned char)v;

	pthread_mutex_lock(&wire);
	assert(write(to[1], &c, 1) == 1 && read(from[0], &c, 1) == 1);
	pthread_mutex_unlock(&wire);
	return c;
}

static void *work(void *unused)
{
	for (int i = 1; i <= 3; i++) {
		assert(ask(i) == i * 2);
		tick();
	}
	return unused;
}

int main(void)
{
	pid_t child;
	int st;

	assert(pipe(to) == 0 && pipe(from) == 0);
	child = fork();
	if (child == 0) {
		unsigned char c;

		close(to[1]);
		while (read(to[0], &c, 1) == 1) {
			c *= 2;
			assert(write(from[1], &c, 1) == 1);
		}
		_exit(0);
	}
	both(work, work, NULL);
	close(to[1]);
	assert(waitpid(child, &st, 0) == child);
	return st;
}
