/*
 * A pool of workers that wait for the start. main publishes their plan only after it. Before that:
 * a condition variable with three waiters, a broadcast the one way and signals the other.
 *
 * expect: data-race plan write@publish read@use
 * harm: crash workers.c:@walk
 * order: 0+,1,0
 */
#include <pthread.h>
#include <stdio.h>

#define WORKERS 3

struct plan {
	int from, to;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t start = PTHREAD_COND_INITIALIZER, up = PTHREAD_COND_INITIALIZER;
static int started, waiting, total;
static struct plan whole = {1, 10};
static struct plan half = {1, 5}, *plan;


static void *work(void *arg)
{
	const struct plan *p;
	int sum = 0;

	pthread_mutex_lock(&m);
	waiting++;
	pthread_cond_signal(&up);
	while (!started)
		pthread_cond_wait(&start, &m);
	pthread_mutex_unlock(&m);
	p = plan; /* @use */
	for (int i = p->from; i <= p->to; i++) /* @walk */
		sum += i;
	pthread_mutex_lock(&m);
	total += sum;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t[WORKERS];

	for (int i = 0; i < WORKERS; i++)
		pthread_create(&t[i], NULL, work, NULL);
	pthread_mutex_lock(&m);
	while (waiting < WORKERS)
		pthread_cond_wait(&up, &m);
#ifdef FIXED
	plan = &whole;
#endif
	started = 1;
	pthread_cond_broadcast(&start);
	pthread_mutex_unlock(&m);
#ifndef FIXED
	plan = &whole; /* @publish */
#endif
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], NULL);
	plan = &half;
	printf("%d\n", total);
	return 0;
}
