/* A shared library with state of its own, called from two threads. */
/* library: counter */
#include "truth.h"

long counter_add(long a, long b, long c, long d, long e, long f);

#ifdef LIB
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long total, last[6];

long counter_add(long a, long b, long c, long d, long e, long f)
{
	long s = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f;

	pthread_mutex_lock(&m);
	total += s;
	last[0] = a;
	last[5] = f;
	s += total - total + last[0] - a + last[5] - f;
	pthread_mutex_unlock(&m);
	return s;
}
#else
static void *work(void *unused)
{
	for (int i = 0; i < 4; i++)
		assert(counter_add(i, 1, 2, 3, 4, 5) == i + 2 + 6 + 12 + 20 + 30);
	return unused;
}

int main(void)
{
	return both(work, work, NULL);
}
#endif
