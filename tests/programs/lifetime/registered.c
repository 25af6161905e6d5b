/*
 * A thread registers its thread-local statistics; main sums them, also after threads ended.
 * The twin sums before it lets them end.
 *
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local long hits;
static long *registered[4];
static int n;
static sem_t in, out;

static void *worker(void *arg)
{
	hits = (long)arg;
	pthread_mutex_lock(&lock);
	registered[n++] = &hits;
	pthread_mutex_unlock(&lock);
	sem_post(&in);
#ifdef FIXED
	sem_wait(&out);
#endif
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	long sum = 0;

	sem_init(&in, 0, 0);
	sem_init(&out, 0, 0);
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, (void *)(i + 1));
	for (int i = 0; i < 2; i++)
		sem_wait(&in);
	pthread_mutex_lock(&lock);
	for (int i = 0; i < n; i++)
		sum += *registered[i];
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 2; i++)
		sem_post(&out);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return sum != 3;
}
