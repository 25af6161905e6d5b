/* A private folder: made, entered by *at() calls, left and removed. */
#include "truth.h"

static void *work(void *unused)
{
	char dir[] = "private.XXXXXX";
	int d, fd;

	tick();
	assert(mkdtemp(dir));
	d = open(dir, O_DIRECTORY | O_RDONLY);
	assert(d >= 0);
	fd = openat(d, "f", O_CREAT | O_EXCL | O_WRONLY, 0600);
	assert(fd >= 0);
	tick();
	assert(renameat(d, "f", d, "g") == 0 && faccessat(d, "f", F_OK, 0) != 0);
	assert(symlinkat("g", d, "h") == 0 && unlinkat(d, "h", 0) == 0 && unlinkat(d, "g", 0) == 0);
	close(fd);
	close(d);
	assert(rmdir(dir) == 0);
	tick();
	return unused;
}

int main(void)
{
	return beside_look(work);
}
