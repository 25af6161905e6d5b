/*
 * A barrier in shared memory for two threads and a child; the child comes last and writes before
 * it.
 */
#include "truth.h"
#include <sys/mman.h>
struct shared {
	pthread_barrier_t b;
	int v;
};
static struct shared *sh;
static void *worker(void *unused)
{
	(void)unused;
	tick();
	pthread_barrier_wait(&sh->b);
	assert(sh->v == 4);
	return NULL;
}
int main(void)
{
	pthread_barrierattr_t a;
	pid_t c;

	sh = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_barrierattr_init(&a);
	pthread_barrierattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&sh->b, &a, 3);
	c = fork();
	if (!c) {
		usleep(2000);
		sh->v = 4;
		pthread_barrier_wait(&sh->b);
		_exit(0);
	}
	both(worker, worker, NULL);
	assert(waitpid(c, NULL, 0) == c);
	assert(truth_count == 2);
	return 0;
}
