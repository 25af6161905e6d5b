/*
 * aio_suspend waits for two reads; their buffers belong to the program afterwards.
 * link: -lrt
 */
#include "truth.h"
#include <aio.h>
int main(void)
{
	char name[] = "aio-XXXXXX", b[2][8];
	struct aiocb c[2];
	int fd = mkstemp(name);

	assert(fd >= 0 && write(fd, "0123456789abcdef", 16) == 16);
	unlink(name);
	for (int i = 0; i < 2; i++) {
		c[i] = (struct aiocb){
		    .aio_fildes = fd, .aio_buf = b[i], .aio_nbytes = 8, .aio_offset = 8 * i};
		assert(!aio_read(&c[i]));
	}
	for (int i = 0; i < 2; i++) {
		const struct aiocb *one[] = {&c[i]};

		while (aio_error(&c[i]) == EINPROGRESS)
			aio_suspend(one, 1, NULL);
		assert(aio_return(&c[i]) == 8);
	}
	assert(b[0][0] == '0' && b[1][7] == 'f');
	return 0;
}
