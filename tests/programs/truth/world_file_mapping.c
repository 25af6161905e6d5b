/* A file mapping shared by two threads behind a lock; the file holds the result. */
#include "truth.h"
#include <sys/mman.h>

static int *p;

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++) {
		pthread_mutex_lock(&truth_lock);
		p[0]++;
		pthread_mutex_unlock(&truth_lock);
	}
	return unused;
}

int main(void)
{
	int fd = open("mapped", O_CREAT | O_RDWR | O_TRUNC, 0600), n = 0;

	assert(fd >= 0 && ftruncate(fd, 4096) == 0);
	p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert(p != MAP_FAILED);
	both(work, work, NULL);
	msync(p, 4096, MS_SYNC);
	assert(pread(fd, &n, sizeof(n), 0) == sizeof(n));
	munmap(p, 4096);
	close(fd);
	unlink("mapped");
	return n != 8;
}
