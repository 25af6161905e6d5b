/* An asynchronous write: aio_suspend() ends after it, and then the buffer is free again. */
/* link: -lrt */
#include "truth.h"
#include <aio.h>

static char buf[16] = "asynchronous";

int main(void)
{
	int fd = open("aio", O_CREAT | O_RDWR | O_TRUNC, 0600);
	struct aiocb cb = {.aio_fildes = fd, .aio_buf = buf, .aio_nbytes = 12};
	const struct aiocb *list[1] = {&cb};
	char got[16] = "";

	tick();
	assert(aio_write(&cb) == 0);
	while (aio_error(&cb) == EINPROGRESS)
		aio_suspend(list, 1, NULL);
	assert(aio_return(&cb) == 12);
	memset(buf, 0, sizeof(buf));
	assert(pread(fd, got, 12, 0) == 12 && strcmp(got, "asynchronous") == 0);
	close(fd);
	unlink("aio");
	return 0;
}
