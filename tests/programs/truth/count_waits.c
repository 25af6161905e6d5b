/* Two consumers share a queue. The program prints how often they waited together. */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static int items, closed, waits, got;

static void *consume(void *unused)
{
	pthread_mutex_lock(&lock);
	for (;;) {
		while (!items && !closed) {
			waits++;
			pthread_cond_wait(&cond, &lock);
		}
		if (!items)
			break;
		items--;
		got++;
		pthread_mutex_unlock(&lock);
		sched_yield();
		pthread_mutex_lock(&lock);
	}
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, consume, NULL);
	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&lock);
		items++;
		pthread_mutex_unlock(&lock);
		pthread_cond_signal(&cond);
	}
	pthread_mutex_lock(&lock);
	closed = 1;
	pthread_mutex_unlock(&lock);
	pthread_cond_broadcast(&cond);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d items after %d waits\n", got, waits);
	return got != 5;
}
