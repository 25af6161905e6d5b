/* A child holds a process-shared mutex for a while. */
#include "truth.h"
#include <sys/mman.h>

struct box {
	pthread_mutex_t m;
	int held, n;
};

static struct box *b;

static void *work(void *unused)
{
	tick();
	pthread_mutex_lock(&b->m);
	b->n++;
	pthread_mutex_unlock(&b->m);
	tick();
	return unused;
}

int main(void)
{
	pthread_mutexattr_t a;
	pid_t child;
	int st;

	b = mmap(NULL, sizeof(*b), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_init(&a);
	pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&b->m, &a);
	child = fork();
	if (child == 0) {
		pthread_mutex_lock(&b->m);
		b->n++;
		usleep(20000);
		pthread_mutex_unlock(&b->m);
		_exit(0);
	}
	beside_look(work);
	assert(waitpid(child, &st, 0) == child && st == 0);
	return b->n != 2;
}
