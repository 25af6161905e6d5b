/* Standard input and output are closed, and their numbers used for files. */
#include "truth.h"

static void *work(void *unused)
{
	tick();
	assert(write(1, "to a file", 9) == 9);
	tick();
	return unused;
}

int main(void)
{
	close(0);
	close(1);
	assert(open("/dev/null", O_RDONLY) == 0);
	assert(open("stdout", O_CREAT | O_TRUNC | O_WRONLY, 0600) == 1);
	beside_look(work);
	return unlink("stdout") != 0;
}
