/* Behaviour depends on whether a configuration file exists; both ways are right. */
#include "truth.h"

static void *work(void *unused)
{
	int fd;

	tick();
	fd = open("config", O_RDONLY);
	if (fd < 0) {
		fd = open("config", O_CREAT | O_WRONLY, 0600);
		assert(write(fd, "v1", 2) == 2);
		puts("created");
	} else {
		char b[2];

		assert(read(fd, b, 2) == 2 && b[0] == 'v');
		puts("loaded");
	}
	close(fd);
	tick();
	return unused;
}

int main(void)
{
	return beside_look(work);
}
