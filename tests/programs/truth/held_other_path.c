/*
 * Under two locks a thread reads whether the other one has finished, and does the work itself if
 * not.
 */
#include "truth.h"
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int finished, work;
static void do_work(void)
{
	if (!finished) {
		work += 10;
		finished = 1;
	}
}
static void *first(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_lock(&b);
	do_work();
	pthread_mutex_unlock(&b);
	return NULL;
}
static void *second(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	do_work();
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return NULL;
}
int main(void)
{
	both(first, second, NULL);
	assert(work == 10);
	return 0;
}
