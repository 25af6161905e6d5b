/* Statistics read one by one: each grows, and no relation between them is assumed. */
#include "truth.h"

static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
static long in, out;

static long get(pthread_mutex_t *m, long *p)
{
	long v;

	pthread_mutex_lock(m);
	v = *p;
	pthread_mutex_unlock(m);
	return v;
}

static void *work(void *unused)
{
	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&m1);
		in++;
		pthread_mutex_unlock(&m1);
		pthread_mutex_lock(&m2);
		out++;
		pthread_mutex_unlock(&m2);
	}
	return unused;
}

static void *report(void *unused)
{
	long o = get(&m2, &out), i = get(&m1, &in);

	/* what went out before came in before */
	assert(i >= o);
	assert(get(&m1, &in) >= i && get(&m2, &out) >= o);
	return unused;
}

int main(void)
{
	return both(report, work, NULL);
}
