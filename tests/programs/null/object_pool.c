/*
 * An object pool with one object: a thread borrows from the pool while another has the object.
 * The twin waits until it is returned.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t returned = PTHREAD_COND_INITIALIZER;
struct object {
	struct object *next;
	int uses;
};
struct object *unused;

static struct object *borrow(void)
{
	struct object *o;

	pthread_mutex_lock(&lock);
#ifdef FIXED
	while (!unused)
		pthread_cond_wait(&returned, &lock);
#endif
	o = unused;
	unused = o->next; /* @use */
	pthread_mutex_unlock(&lock);
	return o;
}

static void give_back(struct object *o)
{
	pthread_mutex_lock(&lock);
	o->next = unused;
	unused = o;
	pthread_cond_signal(&returned);
	pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
	struct object *o = borrow();

	o->uses++;
	give_back(o);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	unused = calloc(1, sizeof(*unused));
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
