/*
 * A user relies on a shop that has opened to be open. It comes after another thread has closed the
 * shop, but that does harm only if the shop had opened before.
 * The twin goes away if the shop is closed.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_open, has_opened, sold;

static void *opens(void *arg)
{
	pthread_mutex_lock(&lock);
	has_opened = is_open = 1;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *buys(void *arg)
{
	pthread_mutex_lock(&lock);
	if (is_open)
		sold++;
#ifndef FIXED
	else
		assert(!has_opened); /* @fails */
#endif
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *closes(void *arg)
{
	pthread_mutex_lock(&lock);
	is_open = 0;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, opens, NULL);
	pthread_create(&t[1], NULL, buys, NULL);
	pthread_create(&t[2], NULL, closes, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return sold > 1;
}
