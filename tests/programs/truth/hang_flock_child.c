/* A child holds a file lock; the worker waits for it. */
#include "truth.h"
#include <sys/file.h>

static void *work(void *unused)
{
	int fd = open("locked", O_RDWR);

	tick();
	assert(fd >= 0 && flock(fd, LOCK_EX) == 0);
	tick();
	close(fd);
	return unused;
}

int main(void)
{
	int fd = open("locked", O_CREAT | O_RDWR, 0600), p[2], st;
	pid_t child;
	char c;

	assert(fd >= 0 && pipe(p) == 0);
	child = fork();
	if (child == 0) {
		int own = open("locked", O_RDWR);

		flock(own, LOCK_EX);
		assert(write(p[1], "l", 1) == 1);
		usleep(20000);
		_exit(0);
	}
	assert(read(p[0], &c, 1) == 1);
	beside_look(work);
	assert(waitpid(child, &st, 0) == child);
	unlink("locked");
	return st;
}
