/*
 * A stage reads the state of its neighbour under both locks; if it is not ready, it gives both back
 * and waits for a condition.
 */
#include "truth.h"
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int state, config;
static void *stage(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&outer);
	config = 1;
	pthread_mutex_unlock(&outer);
	pthread_mutex_lock(&inner);
	state = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&inner);
	return NULL;
}
static void *neighbour(void *unused)
{
	(void)unused;
	for (;;) {
		pthread_mutex_lock(&outer);
		pthread_mutex_lock(&inner);
		if (state) {
			assert(config);
			pthread_mutex_unlock(&inner);
			pthread_mutex_unlock(&outer);
			return NULL;
		}
		pthread_mutex_unlock(&outer);
		while (!state)
			pthread_cond_wait(&changed, &inner);
		pthread_mutex_unlock(&inner);
	}
}
int main(void)
{
	return both(stage, neighbour, NULL);
}
