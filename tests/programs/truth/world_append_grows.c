/* Each run appends one line, and the file is as long as before plus one line. */
#include "truth.h"

static void *work(void *unused)
{
	int fd = open("journal", O_CREAT | O_APPEND | O_RDWR, 0600);
	struct stat a, b;

	tick();
	assert(fstat(fd, &a) == 0);
	assert(write(fd, "entry\n", 6) == 6);
	assert(fstat(fd, &b) == 0);
	assert(b.st_size == a.st_size + 6 && a.st_size % 6 == 0);
	tick();
	close(fd);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
