/*
 * Readers hold a read lock and count under a mutex; a writer replaces the configuration and counts,
 * too.
 */
#include "truth.h"
static pthread_rwlock_t config_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static int version = 1, copy = 1, reads, checks;

static void count(int *what)
{
	pthread_mutex_lock(&count_lock);
	++*what;
	pthread_mutex_unlock(&count_lock);
}

static void *reader(void *arg)
{
	pthread_rwlock_rdlock(&config_lock);
	count(&reads);
	assert(version == copy);
	count(&checks);
	count(&reads);
	pthread_rwlock_unlock(&config_lock);
	return arg;
}

static void *writer(void *arg)
{
	pthread_rwlock_wrlock(&config_lock);
	version++;
	copy++;
	count(&checks);
	pthread_rwlock_unlock(&config_lock);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, reader, NULL);
	pthread_create(&t[1], NULL, reader, NULL);
	pthread_create(&t[2], NULL, writer, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(reads == 4 && checks == 3);
}
