/*
 * Each of two counters has a lock of its own. A checker reads one after the other. It requires that
 * no more items were taken than put. The twin reads the count of taken items first.
 *
 * order: creation
 * harm: crash
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t put_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t taken_lock = PTHREAD_MUTEX_INITIALIZER;
int put, taken;

static int read_counter(pthread_mutex_t *lock, const int *counter)
{
	int n;

	pthread_mutex_lock(lock);
	n = *counter;
	pthread_mutex_unlock(lock);
	return n;
}

static void *checker(void *arg)
{
#ifdef FIXED
	int t = read_counter(&taken_lock, &taken), p = read_counter(&put_lock, &put);
#else
	int p = read_counter(&put_lock, &put), t = read_counter(&taken_lock, &taken);
#endif

	if (t > p)
		abort(); /* @fails */
	return arg;
}

static void *user(void *arg)
{
	pthread_mutex_lock(&put_lock);
	put++;
	pthread_mutex_unlock(&put_lock);
	pthread_mutex_lock(&taken_lock);
	taken++;
	pthread_mutex_unlock(&taken_lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, checker, NULL);
	pthread_create(&b, NULL, user, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
