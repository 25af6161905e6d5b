/* Open-file-description locks exclude two threads. */
#include "truth.h"

static int x;

static void *work(void *unused)
{
	int fd = open("ofd", O_CREAT | O_RDWR, 0600);
	struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	assert(fd >= 0);
	assert(fcntl(fd, F_OFD_SETLKW, &l) == 0);
	x++;
	l.l_type = F_UNLCK;
	assert(fcntl(fd, F_OFD_SETLK, &l) == 0);
	close(fd);
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	unlink("ofd");
	return x != 2;
}
