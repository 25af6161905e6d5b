/* A child sets a flag in shared memory, without any call; two threads poll it. */
#include "truth.h"
#include <stdatomic.h>
#include <sys/mman.h>
struct shared {
	atomic_int flag;
	int value;
};
static struct shared *sh;
static void *poller(void *unused)
{
	(void)unused;
	while (!atomic_load(&sh->flag))
		sched_yield();
	assert(sh->value == 8);
	tick();
	return NULL;
}
int main(void)
{
	pid_t c;

	sh = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	c = fork();
	if (!c) {
		usleep(3000);
		sh->value = 8;
		atomic_store(&sh->flag, 1);
		_exit(0);
	}
	both(poller, poller, NULL);
	assert(waitpid(c, NULL, 0) == c && truth_count == 2);
	return 0;
}
