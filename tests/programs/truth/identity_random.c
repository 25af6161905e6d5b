/* Random bytes, temporary names and addresses: nothing depends on their values. */
#include "truth.h"
#include <sys/random.h>

static void *work(void *unused)
{
	unsigned char a[16], b[16];
	char name[] = "tmp.XXXXXX";
	int fd;

	tick();
	assert(getrandom(a, sizeof(a), 0) == 16 && getentropy(b, sizeof(b)) == 0);
	tick();
	assert(memcmp(a, b, 16) != 0);
	fd = mkstemp(name);
	assert(fd >= 0 && access(name, R_OK | W_OK) == 0);
	assert(write(fd, a, 16) == 16 && pread(fd, b, 16, 0) == 16 && memcmp(a, b, 16) == 0);
	close(fd);
	assert(unlink(name) == 0 && access(name, F_OK) != 0);
	tick();
	return unused;
}

int main(void)
{
	return beside_look(work);
}
