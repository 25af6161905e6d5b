/* flock() on two descriptions of one file excludes two threads. */
#include "truth.h"
#include <sys/file.h>

static int x;

static void *work(void *unused)
{
	int fd = open("lock", O_CREAT | O_RDWR, 0600);

	assert(fd >= 0);
	for (int i = 0; i < 3; i++) {
		assert(flock(fd, LOCK_EX) == 0);
		x++;
		assert(flock(fd, LOCK_UN) == 0);
	}
	close(fd);
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	unlink("lock");
	return x != 6;
}
