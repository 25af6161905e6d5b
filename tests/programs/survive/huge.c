/*
 * Calls with enormous sizes. The buffer has 4 MiB of mapped memory, and nothing follows it. With
 * the argument "fault", the last call faults; with "copy" it may.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MIB (1ul << 20)

static volatile size_t minus_four = (size_t)-4;
static char *buffer;

static void *worker(void *arg)
{
	int fd = open("/dev/null", O_WRONLY);

	printf("%zd\n", write(fd, buffer, 3 * MIB));		 /* @MAPPED */
	printf("%d\n", write(fd, buffer + MIB, minus_four) > 0); /* @BEYOND */
	if (arg && !strcmp(arg, "fault"))
		memset(buffer, 1, minus_four);
	else if (arg)
		buffer = mempcpy(buffer, buffer + 8, minus_four);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;

	buffer = mmap(NULL, 64 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(buffer + 4 * MIB, 60 * MIB);
	mprotect(buffer + 2 * MIB, MIB, PROT_READ); /* two neighbouring mappings are one range */
	pthread_create(&t, NULL, worker, argc > 1 ? argv[1] : NULL);
	pthread_join(t, NULL);
	puts("end");
	return 0;
}
