/* Mappings: anonymous, of a file, over another, moved, grown in place. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = open(argc ? argv[0] : "", O_RDONLY);
	char *p = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *f = mmap(NULL, 100, PROT_READ, MAP_PRIVATE, fd, 0);

	strcpy(p, "kept");
	printf("file %d\n", !memcmp(f, "\177ELF", 4));
	munmap(f, 100);
	mmap(p + 4096, 4096, PROT_READ, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(p + 4096, 8192);
	p = mremap(p, 4096, 64 * 4096, MREMAP_MAYMOVE);
	printf("moved %s\n", p);
	p = mremap(p, 64 * 4096, 4096, 0);
	printf("shrunk %s\n", p);
	munmap(p, 4096);
	return 0;
}
