/*
 * Workers take jobs from a queue. Each reads the sum in one section of a lock and writes it in the
 * next one. The recorded run loses an update, and the program fails an assertion. The queue is
 * correct: other orders of its accesses avoid the failure only by chance.
 * The twin adds in one section.
 *
 * order: creation
 * twin: the recorded run of the twin ends well
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#define WORKERS 3
#define JOBS 5

struct job {
	struct job *next;
	int value;
};

static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t result = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct job *first, *last;
static int closed;
int sum;

static struct job *take(void)
{
	struct job *j;

	pthread_mutex_lock(&queue);
	while (!first && !closed)
		pthread_cond_wait(&more, &queue);
	j = first;
	if (j) {
		first = j->next;
		if (!first)
			last = NULL;
	}
	pthread_mutex_unlock(&queue);
	return j;
}

static void put(int value)
{
	struct job *j = malloc(sizeof(*j));

	j->value = value;
	j->next = NULL;
	pthread_mutex_lock(&queue);
	if (last)
		last->next = j;
	else
		first = j;
	last = j;
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&queue);
}

static void add(int value)
{
	int s;

	pthread_mutex_lock(&result);
	s = sum;
#ifndef FIXED
	pthread_mutex_unlock(&result);
	if (value == 1)
		sched_yield();
	pthread_mutex_lock(&result);
#endif
	sum = s + value;
	pthread_mutex_unlock(&result);
}

static void *work(void *arg)
{
	struct job *j;

	while ((j = take())) {
		add(j->value);
		free(j);
	}
	return arg;
}

int main(void)
{
	pthread_t t[WORKERS];

	for (int i = 0; i < WORKERS; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 1; i <= JOBS; i++)
		put(i);
	pthread_mutex_lock(&queue);
	closed = 1;
	pthread_cond_broadcast(&more);
	pthread_mutex_unlock(&queue);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], NULL);
	assert(sum == 15);
	return 0;
}
