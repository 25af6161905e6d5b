/* A scratch file named by the process id and opened with O_EXCL. */
#include "truth.h"

static char name[64];

static void *work(void *unused)
{
	int fd;

	tick();
	fd = open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
	assert(fd >= 0);
	for (int i = 0; i < 20; i++)
		assert(pwrite(fd, name, sizeof(name), i * 64) == sizeof(name));
	tick();
	close(fd);
	assert(unlink(name) == 0);
	tick();
	return unused;
}

int main(void)
{
	snprintf(name, sizeof(name), "scratch.%d", (int)getpid());
	return beside_look(work);
}
