/* A child posts a process-shared semaphore after a while. */
#include "truth.h"
#include <semaphore.h>
#include <sys/mman.h>

static sem_t *s;

static void *work(void *unused)
{
	tick();
	while (sem_wait(s) != 0)
		assert(errno == EINTR);
	tick();
	return unused;
}

int main(void)
{
	pid_t child;
	int st;

	s = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sem_init(s, 1, 0);
	child = fork();
	if (child == 0) {
		usleep(20000);
		sem_post(s);
		_exit(0);
	}
	beside_look(work);
	assert(waitpid(child, &st, 0) == child);
	return st;
}
