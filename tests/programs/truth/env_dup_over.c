/* dup2() onto many numbers, whatever was there. */
#include "truth.h"

static void *work(void *unused)
{
	tick();
	for (int fd = 10; fd < 200; fd++)
		assert(dup2(1, fd) == fd);
	tick();
	for (int fd = 10; fd < 200; fd++)
		assert(close(fd) == 0);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
