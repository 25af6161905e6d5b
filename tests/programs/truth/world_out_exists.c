/* The program refuses to overwrite its output, as many tools do. */
#include "truth.h"

static void *work(void *unused)
{
	tick();
	tick();
	return unused;
}

int main(void)
{
	int fd;

	beside_look(work);
	fd = open("result", O_CREAT | O_EXCL | O_WRONLY, 0600);
	if (fd < 0) {
		perror("result");
		return 1;
	}
	return write(fd, "done\n", 5) != 5;
}
