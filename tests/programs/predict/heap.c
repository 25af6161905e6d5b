/*
 * An object on the heap, with a lock in it that one of the threads forgets.
 *
 * expect: data-race c->bytes write@receive write@reset alloc@alloc
 * harm: output
 * order: creation
 *	forerun cc -g -O1 -pthread heap.c -o heap
 *	forerun record --order creation ./heap
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <pthread.h>
#include <stdio.h>

#include <stdlib.h>

struct conn {
	pthread_mutex_t lock;
	long open, bytes;
};

static void *receive(void *arg)
{
	struct conn *c = arg;

	pthread_mutex_lock(&c->lock);
	c->bytes = 100; /* @receive */
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

static void *reset(void *arg)
{
	struct conn *c = arg;

#ifdef FIXED
	pthread_mutex_lock(&c->lock);
#endif
	c->bytes = 0; /* @reset */
#ifdef FIXED
	pthread_mutex_unlock(&c->lock);
#endif
	return NULL;
}

int main(void)
{
	struct conn *c = calloc(1, sizeof(*c)); /* @alloc */
	pthread_t t1, t2;

	pthread_mutex_init(&c->lock, NULL);
	pthread_create(&t1, NULL, receive, c);
	pthread_create(&t2, NULL, reset, c);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	printf("%ld\n", c->bytes);
	free(c);
	return 0;
}
