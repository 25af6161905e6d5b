/* A child is the other party of a barrier in shared memory. */
#include "truth.h"
#include <sys/mman.h>

static struct sh {
	pthread_barrier_t b;
	pthread_rwlock_t r;
	int v;
} *s;

static void *work(void *unused)
{
	tick();
	pthread_barrier_wait(&s->b);
	pthread_rwlock_rdlock(&s->r);
	int v = s->v;
	pthread_rwlock_unlock(&s->r);
	assert(v == 0 || v == 5);
	pthread_barrier_wait(&s->b);
	pthread_rwlock_rdlock(&s->r);
	assert(s->v == 5);
	pthread_rwlock_unlock(&s->r);
	tick();
	return unused;
}

int main(void)
{
	s = mmap(0, 4096, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_barrierattr_t a;
	pthread_barrierattr_init(&a);
	pthread_barrierattr_setpshared(&a, 1);
	pthread_barrier_init(&s->b, &a, 2);
	pthread_rwlockattr_t ra;
	pthread_rwlockattr_init(&ra);
	pthread_rwlockattr_setpshared(&ra, 1);
	pthread_rwlock_init(&s->r, &ra);
	pid_t c = fork();
	if (!c) {
		usleep(10000);
		pthread_barrier_wait(&s->b);
		pthread_rwlock_wrlock(&s->r);
		s->v = 5;
		pthread_rwlock_unlock(&s->r);
		pthread_barrier_wait(&s->b);
		_exit(0);
	}
	both(truth_looker, work, 0);
	waitpid(c, 0, 0);
	return 0;
}
