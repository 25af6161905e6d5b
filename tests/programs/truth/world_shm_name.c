/* A named shared-memory object made with O_EXCL and removed at the end. */
/* link: -lrt */
#include "truth.h"
#include <sys/mman.h>

static void *work(void *unused)
{
	char name[64];
	int fd, *p;

	snprintf(name, sizeof(name), "/forerun-truth-%d", (int)getuid());
	tick();
	fd = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
	if (fd < 0) {
		perror("shm_open");
		exit(1);
	}
	assert(ftruncate(fd, 4096) == 0);
	p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	p[0] = 1;
	tick();
	usleep(3000);
	munmap(p, 4096);
	close(fd);
	shm_unlink(name);
	tick();
	return unused;
}

int main(void)
{
	return beside_look(work);
}
