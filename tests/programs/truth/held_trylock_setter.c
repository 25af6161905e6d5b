/* The setter only tries the lock that the waiter holds, and sets the flag without it. */
#include "truth.h"
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, noted;
static void *setter(void *unused)
{
	(void)unused;
	if (!pthread_mutex_trylock(&outer)) {
		noted++;
		pthread_mutex_unlock(&outer);
	}
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return NULL;
}
static void *waiter(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&outer);
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	assert(noted <= 1);
	pthread_mutex_unlock(&outer);
	return NULL;
}
int main(void)
{
	return both(setter, waiter, NULL);
}
