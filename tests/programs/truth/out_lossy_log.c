/*
 * A log thread with lossy ring: producers drop messages when it is full (counted), the logger prints progress with
 * thread ids, times and addresses. Everything printed but the last line varies.
 */
#include "truth.h"
#include <stdatomic.h>

enum { SIZE = 4 };
static struct {
	long tid;
	void *where;
	struct timespec at;
	int n;
} ring[SIZE];
static unsigned head, tail;
static int dropped, printed, closing;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static void put(int n)
{
	pthread_mutex_lock(&lock);
	if (head - tail == SIZE) {
		dropped++;
	} else {
		ring[head % SIZE].tid = (long)gettid();
		ring[head % SIZE].where = &n;
		clock_gettime(CLOCK_REALTIME, &ring[head % SIZE].at);
		ring[head++ % SIZE].n = n;
		pthread_cond_signal(&more);
	}
	pthread_mutex_unlock(&lock);
}

static void *logger(void *unused)
{
	pthread_mutex_lock(&lock);
	for (;;) {
		while (head == tail && !closing)
			pthread_cond_wait(&more, &lock);
		if (head == tail)
			break;
		printf("%ld.%09ld [%ld] %p: %d (%u queued)\n", (long)ring[tail % SIZE].at.tv_sec,
		       ring[tail % SIZE].at.tv_nsec, ring[tail % SIZE].tid, ring[tail % SIZE].where,
		       ring[tail % SIZE].n, head - tail);
		tail++;
		printed++;
		pthread_mutex_unlock(&lock);
		fflush(stdout);
		pthread_mutex_lock(&lock);
	}
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *producer(void *arg)
{
	for (int i = 0; i < 5; i++)
		put((int)(long)arg * 100 + i);
	return NULL;
}

int main(void)
{
	pthread_t l, p[2];

	pthread_create(&l, NULL, logger, NULL);
	for (long i = 0; i < 2; i++)
		pthread_create(&p[i], NULL, producer, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(p[i], NULL);
	pthread_mutex_lock(&lock);
	closing = 1;
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&lock);
	pthread_join(l, NULL);
	printf("printed and dropped: %d\n", printed + dropped);
	return printed + dropped != 10;
}
