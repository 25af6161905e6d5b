/*
 * A channel panics when it is closed twice, or when a thread sends to it after the close. Two
 * workers that see an error check whether it is closed and then close it. The twin checks and
 * closes under one lock.
 *
 * order: creation
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct channel {
	pthread_mutex_t lock;
	bool closed;
	int n, value[4];
};
static struct channel errors = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void send_to(struct channel *c, int v)
{
	pthread_mutex_lock(&c->lock);
	if (!c->closed)
		c->value[c->n++] = v;
	pthread_mutex_unlock(&c->lock);
}

static bool is_closed(struct channel *c)
{
	bool closed;

	pthread_mutex_lock(&c->lock);
	closed = c->closed;
	pthread_mutex_unlock(&c->lock);
	return closed;
}

static void close_channel(struct channel *c)
{
	pthread_mutex_lock(&c->lock);
#ifdef FIXED
	if (c->closed) {
		pthread_mutex_unlock(&c->lock);
		return;
	}
#endif
	if (c->closed) {
		fputs("panic: close of closed channel\n", stderr);
		abort(); /* @fails */
	}
	c->closed = true;
	pthread_mutex_unlock(&c->lock);
}

static void *worker(void *arg)
{
	send_to(&errors, 5);
	if (!is_closed(&errors))
		close_channel(&errors);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return errors.n > 2;
}
