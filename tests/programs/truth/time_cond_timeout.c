/* A condition that nobody signals times out, and not before its time. */
#include "truth.h"

static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *work(void *unused)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	struct timespec t, n;

	tick();
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += 5000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	pthread_mutex_lock(&m);
	while (pthread_cond_timedwait(&c, &m, &t) != ETIMEDOUT)
		;
	pthread_mutex_unlock(&m);
	clock_gettime(CLOCK_REALTIME, &n);
	assert(n.tv_sec > t.tv_sec || (n.tv_sec == t.tv_sec && n.tv_nsec >= t.tv_nsec));
	tick();
	return unused;
}

int main(void)
{
	return beside_look(work);
}
