/*
 * A deadlock of a logger and its handler, which take two locks in opposite orders (GPredict table
 * I, jdk-logger).
 * order: creation
 * spec: logger.spec
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t logger = PTHREAD_MUTEX_INITIALIZER, handler = PTHREAD_MUTEX_INITIALIZER;

static void *publish(void *arg)
{
	pthread_mutex_lock(&logger);
	pthread_mutex_lock(&handler);
	pthread_mutex_unlock(&handler);
	pthread_mutex_unlock(&logger);
	return arg;
}

static void *flush(void *arg)
{
#ifdef FIXED
	return publish(arg);
#else
	pthread_mutex_lock(&handler);
	pthread_mutex_lock(&logger);
	pthread_mutex_unlock(&logger);
	pthread_mutex_unlock(&handler);
	return arg;
#endif
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, publish, NULL);
	pthread_create(&b, NULL, flush, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
