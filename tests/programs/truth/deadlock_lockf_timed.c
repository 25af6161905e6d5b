/* A record lock that is tried with F_SETLK while a mutex is held: it never blocks. */
#include "truth.h"

static int x;

static void *work(void *unused)
{
	int fd = open("region", O_CREAT | O_RDWR, 0600);

	for (int i = 0; i < 2; i++) {
		struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};

		while (fcntl(fd, F_OFD_SETLK, &l) != 0)
			usleep(300);
		tick();
		x++;
		l.l_type = F_UNLCK;
		assert(fcntl(fd, F_OFD_SETLK, &l) == 0);
	}
	close(fd);
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	unlink("region");
	return x != 4;
}
