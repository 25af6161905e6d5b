/* A file keeps its inode over a rename, and a new one gets another while the old one lives. */
#include "truth.h"

static void *work(void *unused)
{
	struct stat a, b;
	int fd = open("one", O_CREAT | O_RDWR, 0600), fd2;

	assert(fd >= 0 && fstat(fd, &a) == 0);
	tick();
	assert(rename("one", "two") == 0 && stat("two", &b) == 0 && a.st_ino == b.st_ino);
	tick();
	fd2 = open("one", O_CREAT | O_EXCL | O_RDWR, 0600);
	assert(fd2 >= 0 && fstat(fd2, &b) == 0 && a.st_ino != b.st_ino);
	close(fd);
	close(fd2);
	unlink("one");
	unlink("two");
	return unused;
}

int main(void)
{
	return beside_look(work);
}
