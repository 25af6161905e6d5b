/* A child signals a condition in shared memory. */
#include "truth.h"
#include <sys/mman.h>

struct sh {
	pthread_mutex_t m;
	pthread_cond_t c;
	int ready;
	char text[32];
};
static struct sh *s;

static void *work(void *unused)
{
	tick();
	pthread_mutex_lock(&s->m);
	while (!s->ready)
		pthread_cond_wait(&s->c, &s->m);
	assert(!strcmp(s->text, "from child"));
	pthread_mutex_unlock(&s->m);
	tick();
	return unused;
}

int main(void)
{
	s = mmap(0, 4096, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t a;
	pthread_condattr_t b;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_setpshared(&a, 1);
	pthread_condattr_init(&b);
	pthread_condattr_setpshared(&b, 1);
	pthread_mutex_init(&s->m, &a);
	pthread_cond_init(&s->c, &b);
	pid_t c = fork();
	if (!c) {
		usleep(20000);
		pthread_mutex_lock(&s->m);
		strcpy(s->text, "from child");
		s->ready = 1;
		pthread_cond_broadcast(&s->c);
		pthread_mutex_unlock(&s->m);
		_exit(0);
	}
	both(work, truth_looker, 0);
	int st;
	waitpid(c, &st, 0);
	return st;
}
