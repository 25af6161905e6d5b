/*
 * Workers measure with CLOCK_MONOTONIC how long they waited for a lock, and keep minimum, maximum, mean and a histogram
 * under another lock; the report prints them, with the process's own usage.
 */
#include "truth.h"
#include <sys/resource.h>

static pthread_mutex_t work = PTHREAD_MUTEX_INITIALIZER, stat_lock = PTHREAD_MUTEX_INITIALIZER;
static long least = 1L << 62, most, sum, n, bucket[8], longest_queue, waiting;
static int shared;

static long clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

static void note(long ns)
{
	int b = 0;

	for (long v = ns; v > 100 && b < 7; v /= 10)
		b++;
	pthread_mutex_lock(&stat_lock);
	if (ns < least)
		least = ns;
	if (ns > most)
		most = ns;
	sum += ns;
	n++;
	bucket[b]++;
	pthread_mutex_unlock(&stat_lock);
}

static void queue(int by)
{
	pthread_mutex_lock(&stat_lock);
	waiting += by;
	if (waiting > longest_queue)
		longest_queue = waiting;
	pthread_mutex_unlock(&stat_lock);
}

static void *worker(void *unused)
{
	for (int i = 0; i < 3; i++) {
		long start = clock_ns();

		queue(1);
		pthread_mutex_lock(&work);
		queue(-1);
		note(clock_ns() - start);
		shared++;
		pthread_mutex_unlock(&work);
	}
	return unused;
}

int main(void)
{
	pthread_t t[3];
	struct rusage r;

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	getrusage(RUSAGE_SELF, &r);
	assert(least <= sum / n && sum / n <= most && most >= 0);
	printf("waits %ld: min %ld mean %ld max %ld, queue %ld\n", n, least, sum / n, most,
	       longest_queue);
	for (int i = 0; i < 8; i++)
		printf("%ld%c", bucket[i], i == 7 ? '\n' : ' ');
	printf("switches %ld, faults %ld\n", r.ru_nvcsw + r.ru_nivcsw, r.ru_minflt);
	return shared != 9;
}
