/*
 * A thread pool whose shutdown flag is set without the lock: a worker that has just tested it
 * sleeps for ever.
 * order: 0+,1,0+,2,0+,3,0+,4,1,2,3,0
 */
#include <pthread.h>
#include <stdatomic.h>

#define WORKERS 3

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static int queued, done;
static atomic_int stop;

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	for (;;) {
		while (!queued && !stop)
			pthread_cond_wait(&work, &m); /* @wait */
		if (!queued)
			break;
		queued--;
		done++;
	}
	pthread_mutex_unlock(&m);
	return arg;
}

static void *submit(void *arg)
{
	for (int i = 0; i < 4; i++) {
		pthread_mutex_lock(&m);
		queued++;
		pthread_cond_signal(&work);
		pthread_mutex_unlock(&m);
	}
	return arg;
}

int main(void)
{
	pthread_t t[WORKERS], u;

	for (int i = 0; i < WORKERS; i++)
		pthread_create(&t[i], 0, worker, 0);
	pthread_create(&u, 0, submit, 0);
	pthread_join(u, 0);
#ifdef FIXED
	pthread_mutex_lock(&m);
	stop = 1;
	pthread_mutex_unlock(&m);
#else
	stop = 1;
#endif
	pthread_cond_broadcast(&work); /* @signal */
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], 0);
	return done != 4;
}
