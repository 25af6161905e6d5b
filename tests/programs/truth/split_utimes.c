/* A file time that the program sets reads back as set. */
#include "truth.h"

static void *work(void *unused)
{
	struct timespec t[2] = {{1000000000, 0}, {1000000001, 0}};
	struct timespec now;
	struct stat s;
	int fd = open("dated", O_CREAT | O_RDWR, 0600);

	tick();
	assert(futimens(fd, t) == 0 && fstat(fd, &s) == 0 && s.st_mtime == 1000000001);
	tick();
	assert(utimensat(AT_FDCWD, "dated", NULL, 0) == 0 && fstat(fd, &s) == 0);
	clock_gettime(CLOCK_REALTIME, &now);
	assert(s.st_mtime > 1000000001 && s.st_mtime <= now.tv_sec);
	close(fd);
	unlink("dated");
	return unused;
}

int main(void)
{
	return beside_look(work);
}
