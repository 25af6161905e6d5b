/*
 * A thread ends before it comes to the barrier at which the other waits for it, because a flag said so.
 * order: creation
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t both;
static atomic_int ends;

static void *works(void *arg)
{
#ifdef FIXED
	pthread_barrier_wait(&both);
#else
	if (!ends)
		pthread_barrier_wait(&both); /* @wait */
#endif
	return arg;
}

static void *stops(void *arg)
{
	ends = 1;
	return arg;
}

int main(void)
{
	pthread_t a, b, c;

	pthread_barrier_init(&both, 0, 2);
	pthread_create(&a, 0, works, 0);
	pthread_create(&b, 0, works, 0);
	pthread_create(&c, 0, stops, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(c, 0);
	return 0;
}
