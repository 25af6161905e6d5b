/*
 * A timer calls a callback with a context that its owner clears when it cancels the timer. The
 * cancellation does not wait for a callback that has begun.
 * The twin calls the callback under the lock.
 *
 * order: creation
 */
#include <pthread.h>
#include <stdlib.h>

struct context {
	int fired;
};
struct timer {
	pthread_mutex_t lock;
	void (*callback)(struct timer *);
	struct context *context;
};
static struct context context;
static struct timer timer;

static void fire(struct timer *t)
{
	t->context->fired++; /* @use */
}

static void *run(void *arg)
{
	struct timer *t = arg;
	void (*f)(struct timer *);

	pthread_mutex_lock(&t->lock);
	f = t->callback;
#ifndef FIXED
	pthread_mutex_unlock(&t->lock);
#endif
	if (f)
		f(t);
#ifdef FIXED
	pthread_mutex_unlock(&t->lock);
#endif
	return NULL;
}

static void *cancel(void *arg)
{
	struct timer *t = arg;

	pthread_mutex_lock(&t->lock);
	t->callback = NULL;
	t->context = NULL;
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_mutex_init(&timer.lock, NULL);
	timer.callback = fire;
	timer.context = &context;
	pthread_create(&a, NULL, run, &timer);
	pthread_create(&b, NULL, cancel, &timer);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
