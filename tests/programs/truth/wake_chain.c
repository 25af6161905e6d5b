/* Each waiter passes the wakeup on: one signal wakes all, one after the other. */
#include "truth.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int open_;
static void *waiter(void *arg)
{
	pthread_mutex_lock(&m);
	while (!open_)
		pthread_cond_wait(&c, &m);
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return arg;
}
int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		assert(!pthread_create(&t[i], NULL, waiter, NULL));
	pthread_mutex_lock(&m);
	open_ = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
