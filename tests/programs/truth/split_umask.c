/* A file's mode follows the process's umask. */
#include "truth.h"

static void *work(void *unused)
{
	struct stat s;
	int fd;

	tick();
	unlink("masked");
	fd = open("masked", O_CREAT | O_EXCL | O_RDWR, 0666);
	assert(fd >= 0 && fstat(fd, &s) == 0 && (s.st_mode & 0777) == 0640);
	tick();
	assert(fchmod(fd, 0600) == 0 && fstat(fd, &s) == 0 && (s.st_mode & 0777) == 0600);
	close(fd);
	unlink("masked");
	return unused;
}

int main(void)
{
	umask(027);
	return beside_look(work);
}
