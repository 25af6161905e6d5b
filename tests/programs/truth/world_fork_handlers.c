/* pthread_atfork() handlers keep a lock consistent in the child. */
#include "truth.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void before(void)
{
	pthread_mutex_lock(&m);
}

static void after(void)
{
	pthread_mutex_unlock(&m);
}

static void *work(void *unused)
{
	pid_t p;
	int st;

	tick();
	p = fork();
	if (p == 0) {
		pthread_mutex_lock(&m);
		_exit(x > 1);
	}
	assert(waitpid(p, &st, 0) == p && st == 0);
	pthread_mutex_lock(&m);
	x++;
	pthread_mutex_unlock(&m);
	tick();
	return unused;
}

int main(void)
{
	pthread_atfork(before, after, after);
	both(work, work, NULL);
	return x != 2;
}
