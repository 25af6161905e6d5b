/*
 * A read and a write without a common lock (GPredict figure 6), which a lock orders by luck.
 * order: creation
 * spec: race.spec
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int other;
int shared; /* not static: the optimiser must not know its values */

static void *writer(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&mutex);
	shared = 1;
#else
	shared = 1;
	pthread_mutex_lock(&mutex);
#endif
	other++;
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void *reader(void *arg)
{
	int v;

	pthread_mutex_lock(&mutex);
	other++;
#ifdef FIXED
	v = shared;
	pthread_mutex_unlock(&mutex);
#else
	pthread_mutex_unlock(&mutex);
	v = shared;
#endif
	return v < 0 ? NULL : arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
