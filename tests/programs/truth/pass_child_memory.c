/*
 * A child passes a flag in shared memory on: what one thread published before its flag, the other
 * sees after the child's flag.
 */
#include "truth.h"
#include <stdatomic.h>
#include <sys/mman.h>

static struct {
	_Atomic int first, second;
} *flags;
static int published;

static void *give(void *unused)
{
	tick();
	published = 1;
	flags->first = 1;
	return unused;
}

static void *get(void *unused)
{
	while (!flags->second)
		usleep(500);
	assert(published == 1);
	assert(look());
	return unused;
}

int main(void)
{
	pid_t child;

	flags = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(flags != MAP_FAILED);
	child = fork();
	if (!child) {
		while (!flags->first)
			usleep(500);
		flags->second = 1;
		_exit(0);
	}
	both(give, get, NULL);
	assert(waitpid(child, NULL, 0) == child);
	return 0;
}
