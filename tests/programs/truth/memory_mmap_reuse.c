/* Both threads map and unmap; the kernel gives the same address again. */
#include "truth.h"
#include <sys/mman.h>

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		char *p =
		    mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		assert(p != MAP_FAILED && p[0] == 0 && p[4096] == 0);
		p[0] = 1;
		p[4096] = 2;
		assert(p[0] + p[4096] == 3);
		munmap(p, 8192);
	}
	return unused;
}

int main(void)
{
	return both(work, work, NULL);
}
