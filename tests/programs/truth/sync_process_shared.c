/* A process-shared mutex and condition in shared memory; a child answers. */
#include "truth.h"
#include <sys/mman.h>

struct box {
	pthread_mutex_t m;
	pthread_cond_t c;
	int asked, answered;
};

static struct box *b;

static void *ask(void *unused)
{
	tick();
	pthread_mutex_lock(&b->m);
	b->asked = 1;
	pthread_cond_broadcast(&b->c);
	while (!b->answered)
		pthread_cond_wait(&b->c, &b->m);
	pthread_mutex_unlock(&b->m);
	tick();
	return unused;
}

int main(void)
{
	pthread_mutexattr_t ma;
	pthread_condattr_t ca;
	pid_t child;
	int st;

	b = mmap(NULL, sizeof(*b), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(b != MAP_FAILED);
	pthread_mutexattr_init(&ma);
	pthread_mutexattr_setpshared(&ma, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&b->m, &ma);
	pthread_condattr_init(&ca);
	pthread_condattr_setpshared(&ca, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&b->c, &ca);
	child = fork();
	if (child == 0) {
		pthread_mutex_lock(&b->m);
		while (!b->asked)
			pthread_cond_wait(&b->c, &b->m);
		b->answered = 1;
		pthread_cond_broadcast(&b->c);
		pthread_mutex_unlock(&b->m);
		_exit(0);
	}
	beside_look(ask);
	assert(waitpid(child, &st, 0) == child);
	return st;
}
