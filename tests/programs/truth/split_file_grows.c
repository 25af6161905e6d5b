/* One thread appends to a file, the other one sees its size only grow. */
#include "truth.h"

static int fd;

static void *writer(void *unused)
{
	for (int i = 0; i < 4; i++) {
		assert(write(fd, "12345678", 8) == 8);
		tick();
	}
	return unused;
}

static void *watcher(void *unused)
{
	struct stat a, b;

	assert(fstat(fd, &a) == 0);
	assert(look());
	assert(fstat(fd, &b) == 0);
	assert(b.st_size >= a.st_size && b.st_size % 8 == 0);
	return unused;
}

int main(void)
{
	fd = open("grows", O_CREAT | O_TRUNC | O_APPEND | O_RDWR, 0600);
	both(watcher, writer, NULL);
	close(fd);
	unlink("grows");
	return 0;
}
