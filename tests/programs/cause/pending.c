/*
 * main waits in a loop until two threads have taken their shares from a count. An update gets lost,
 * so that the count never becomes 0: main misses no wake-up. HUNG: the recorded run loses the
 * update. NEVER: no order makes the count 0. FIXED: the repair.
 * order: creation
 */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
#ifdef NEVER
static int pending = 3;
#else
static int pending = 2;
#endif

static void *worker(void *arg)
{
	int seen;

	pthread_mutex_lock(&lock);
	seen = pending;
#if !defined FIXED && !defined NEVER
	pthread_mutex_unlock(&lock);
#ifdef HUNG
	usleep(1000);
#endif
	pthread_mutex_lock(&lock);
#endif
	pending = seen - 1;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	pthread_mutex_lock(&lock);
	while (pending > 0)
		pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
