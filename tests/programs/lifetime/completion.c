/*
 * A request on the heap has its own lock. The waiter frees the request as soon as it is done, but
 * the worker has yet to signal the condition in it.
 * The twin joins the worker before it frees the request.
 *
 * order: 0+,1,0
 * expect: use-after-free
 */
#include <pthread.h>
#include <stdlib.h>

struct request {
	pthread_mutex_t lock;
	pthread_cond_t ready;
	int done, result;
};

static void *work(void *arg)
{
	struct request *r = arg;

	pthread_mutex_lock(&r->lock);
	r->done = 1;
	r->result = 7;
	pthread_mutex_unlock(&r->lock);
	pthread_cond_signal(&r->ready);
	return NULL;
}

int main(void)
{
	struct request *r = calloc(1, sizeof(*r));
	pthread_t t;
	int result;

	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->ready, NULL);
	pthread_create(&t, NULL, work, r);
	pthread_mutex_lock(&r->lock);
	while (!r->done)
		pthread_cond_wait(&r->ready, &r->lock);
	result = r->result;
	pthread_mutex_unlock(&r->lock);
#ifdef FIXED
	pthread_join(t, NULL);
#endif
	free(r);
#ifndef FIXED
	pthread_join(t, NULL);
#endif
	return result != 7;
}
