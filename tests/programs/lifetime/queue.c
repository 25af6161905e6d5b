/*
 * A queue is destroyed while a thread is about to lock its mutex.
 * order: 0+,1,0
 * expect: use-after-free
 */
#include <pthread.h>
#include <stdlib.h>

struct queue {
	pthread_mutex_t lock;
	int n, users;
};

static void *pop(void *arg)
{
	struct queue *q = arg;

	pthread_mutex_lock(&q->lock);
	if (q->n)
		q->n--;
	pthread_mutex_unlock(&q->lock);
	return NULL;
}

int main(void)
{
	struct queue *q = calloc(1, sizeof(*q));
	pthread_t a;

	pthread_mutex_init(&q->lock, NULL);
	q->n = 2;
	pthread_create(&a, NULL, pop, q);
#ifdef FIXED
	pthread_join(a, NULL);
#else
	pthread_detach(a);
#endif
	pthread_mutex_lock(&q->lock);
	q->n = 0;
	pthread_mutex_unlock(&q->lock);
	pthread_mutex_destroy(&q->lock);
	free(q);
	pthread_exit(NULL);
}
