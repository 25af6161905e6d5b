/* open() of a FIFO waits for the other side. */
#include "truth.h"

static int x;

static void *writer(void *unused)
{
	int fd;

	x = 1;
	fd = open("fifo", O_WRONLY);
	assert(fd >= 0);
	assert(write(fd, "z", 1) == 1);
	close(fd);
	return unused;
}

static void *reader(void *unused)
{
	int fd = open("fifo", O_RDONLY);
	char c;

	assert(fd >= 0 && read(fd, &c, 1) == 1);
	assert(x == 1);
	x = 0;
	close(fd);
	return unused;
}

int main(void)
{
	unlink("fifo");
	assert(mkfifo("fifo", 0600) == 0);
	both(reader, writer, NULL);
	unlink("fifo");
	return x;
}
