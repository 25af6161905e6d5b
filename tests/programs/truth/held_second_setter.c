/*
 * A thread waits with a lock for a flag. One setter needs that lock first, and the other one does
 * not.
 */
#include "truth.h"
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, log_lines;
static void set(void)
{
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
}
static void *logging_setter(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	log_lines++;
	pthread_mutex_unlock(&lock);
	set();
	return NULL;
}
static void *plain_setter(void *unused)
{
	(void)unused;
	set();
	return NULL;
}
static void *waiter(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	log_lines++;
	pthread_mutex_unlock(&lock);
	return NULL;
}
int main(void)
{
	pthread_t t[3];
	void *(*f[3])(void *) = {logging_setter, waiter, plain_setter};

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, f[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(log_lines == 2);
	return 0;
}
