/* A child sets an atomic in shared memory; the worker spins on it with sleeps. */
#include "truth.h"
#include <stdatomic.h>
#include <sys/mman.h>

static atomic_int *flag;

static void *work(void *unused)
{
	tick();
	while (!atomic_load(flag))
		usleep(1000);
	tick();
	return unused;
}

int main(void)
{
	pid_t child;
	int st;

	flag = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	child = fork();
	if (child == 0) {
		usleep(20000);
		atomic_store(flag, 1);
		_exit(0);
	}
	beside_look(work);
	assert(waitpid(child, &st, 0) == child);
	return st;
}
