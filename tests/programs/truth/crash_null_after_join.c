/* main sets the pointer to NULL only after all users have left a gate that counts them. */
#include "truth.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int users, closing;
static int *data;
static int enter(void)
{
	int ok;

	pthread_mutex_lock(&m);
	ok = !closing;
	users += ok;
	pthread_mutex_unlock(&m);
	return ok;
}
static void leave(void)
{
	pthread_mutex_lock(&m);
	if (!--users)
		pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
}
static void *user(void *arg)
{
	while (enter()) {
		assert(*data == 5);
		leave();
		sched_yield();
	}
	return arg;
}
int main(void)
{
	pthread_t t[2];

	data = malloc(sizeof(*data));
	*data = 5;
	for (int i = 0; i < 2; i++)
		assert(!pthread_create(&t[i], NULL, user, NULL));
	sched_yield();
	pthread_mutex_lock(&m);
	closing = 1;
	while (users)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	free(data);
	data = NULL;
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
