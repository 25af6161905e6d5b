/* Log rotation: the old log gets a new name that must be free. */
#include "truth.h"

static void *work(void *unused)
{
	char next[32];
	int n = 1, fd;

	tick();
	fd = open("log", O_CREAT | O_APPEND | O_WRONLY, 0600);
	assert(write(fd, "line\n", 5) == 5);
	close(fd);
	do
		snprintf(next, sizeof(next), "log.%d", n++);
	while (access(next, F_OK) == 0);
	tick();
	assert(link("log", next) == 0 && unlink("log") == 0);
	tick();
	return unused;
}

int main(void)
{
	return beside_look(work);
}
