/* A file is not from the future, and a later file is not older. */
#include "truth.h"

static void touch(const char *name)
{
	int fd = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0600);

	assert(fd >= 0 && write(fd, "x", 1) == 1);
	close(fd);
}

static void *work(void *unused)
{
	struct stat a, b;
	struct timespec now;

	tick();
	touch("first");
	tick();
	touch("second");
	assert(stat("first", &a) == 0 && stat("second", &b) == 0);
	assert(b.st_mtim.tv_sec > a.st_mtim.tv_sec ||
	       (b.st_mtim.tv_sec == a.st_mtim.tv_sec && b.st_mtim.tv_nsec >= a.st_mtim.tv_nsec));
	tick();
	clock_gettime(CLOCK_REALTIME, &now); /* time() is coarser, and may be late */
	assert(a.st_mtime <= now.tv_sec && b.st_mtime <= now.tv_sec);
	return unused;
}

int main(void)
{
	beside_look(work);
	unlink("first");
	unlink("second");
	return 0;
}
