/*
 * The consumer counts its items in two steps, and takes them in between. Where an update is lost,
 * it needs two items instead of one, and has to wait for the second. With LESS it needs one instead
 * of two.
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, item_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int items, total;

#ifdef LESS
#define MORE(n) (n)
#else
#define MORE(n) (!(n))
#endif

static void take(void)
{
	pthread_mutex_lock(&item_lock);
	while (!items) {
#ifdef POLL
		pthread_mutex_unlock(&item_lock);
		sched_yield();
		pthread_mutex_lock(&item_lock);
#else
		pthread_cond_wait(&more, &item_lock);
#endif
	}
	items--;
	pthread_mutex_unlock(&item_lock);
}

static void put(void)
{
	pthread_mutex_lock(&item_lock);
	items++;
	pthread_cond_broadcast(&more);
	pthread_mutex_unlock(&item_lock);
}

static void *produce(void *p)
{
	pthread_mutex_lock(&lock);
	total += 10;
	pthread_mutex_unlock(&lock);
	put();
	put();
	return p;
}

static void *consume(void *p)
{
	int old;

#ifdef FIXED
	take();
#endif
	pthread_mutex_lock(&lock);
	old = total;
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	take();
	if (MORE(old))
		take();
	pthread_mutex_lock(&lock);
#endif
	total = old + 1;
	pthread_mutex_unlock(&lock);
	return p;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, produce, NULL);
	pthread_create(&b, NULL, consume, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(total == 11);
	return 0;
}
