/*
 * Two threads take turns without a flag for whose turn it is.
 * order: creation
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ping = PTHREAD_COND_INITIALIZER, pong = PTHREAD_COND_INITIALIZER;
static int turn;

static void *first(void *arg)
{
	pthread_mutex_lock(&m);
	for (int i = 0; i < 3; i++) {
#ifdef FIXED
		while (turn != 1)
#endif
			pthread_cond_wait(&ping, &m); /* @wait */
		turn = 0;
		pthread_cond_signal(&pong);
	}
	pthread_mutex_unlock(&m);
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&m);
	for (int i = 0; i < 3; i++) {
		turn = 1;
		pthread_cond_signal(&ping); /* @signal */
#ifdef FIXED
		while (turn != 0)
#endif
			pthread_cond_wait(&pong, &m);
	}
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
