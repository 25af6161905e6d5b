/*
 * A thread keeps a pointer while it does not hold the lock. Another thread frees the object and
 * clears the pointer. The first thread calls what the allocator has left in the object. FIXED: the
 * first thread keeps the lock.
 *
 * order: 0+,0+,1,2
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static struct operation {
	long (*run)(long);
	long argument;
} *current;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static long twice(long x)
{
	return 2 * x;
}

static void *call(void *arg)
{
	struct operation *o;
	long result;

	pthread_mutex_lock(&lock);
	o = current;
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	sched_yield();
	pthread_mutex_lock(&lock);
#endif
	result = o ? o->run(o->argument) : 0;
	pthread_mutex_unlock(&lock);
	return result ? arg : NULL;
}

static void *drop(void *arg)
{
	pthread_mutex_lock(&lock);
	free(current);
	current = NULL;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	current = malloc(sizeof(*current));
	current->run = twice;
	current->argument = 3;
	pthread_create(&t[0], NULL, call, NULL);
	pthread_create(&t[1], NULL, drop, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
