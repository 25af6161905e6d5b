/*
 * An object pool, second state of repair: `closed` is read under the lock, but the eviction takes
 * the lock twice, to look at the oldest idle object and to remove it. Another thread borrows it
 * meanwhile. The twin looks and removes in one lock region.
 *
 * order: creation
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct idle {
	struct idle *next;
	int age;
};
struct pool {
	pthread_mutex_t lock;
	bool closed;
	struct idle *oldest;
	long changes;
};
struct pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct idle *borrow(struct pool *p)
{
	struct idle *o = NULL;

	pthread_mutex_lock(&p->lock);
	p->changes++;
	if (!p->closed && p->oldest) {
		o = p->oldest;
		p->oldest = o->next;
	}
	pthread_mutex_unlock(&p->lock);
	return o;
}

static void give_back(struct pool *p, struct idle *o)
{
	pthread_mutex_lock(&p->lock);
	p->changes++;
	o->next = p->oldest;
	p->oldest = o;
	pthread_mutex_unlock(&p->lock);
}

#ifndef FIXED
static bool has_old(struct pool *p)
{
	bool old;

	pthread_mutex_lock(&p->lock);
	old = !p->closed && p->oldest && p->oldest->age > 10;
	pthread_mutex_unlock(&p->lock);
	return old;
}
#endif

static void evict(struct pool *p)
{
	struct idle *o;

#ifndef FIXED
	if (!has_old(p))
		return;
#endif
	pthread_mutex_lock(&p->lock);
	p->changes++;
#ifdef FIXED
	if (p->closed || !p->oldest || p->oldest->age <= 10) {
		pthread_mutex_unlock(&p->lock);
		return;
	}
#endif
	o = p->oldest;
	p->oldest = o->next; /* @use */
	pthread_mutex_unlock(&p->lock);
	free(o);
}

static void *evictor(void *arg)
{
	evict(&pool);
	return arg;
}

static void *user(void *arg)
{
	struct idle *o = borrow(&pool);

	if (o)
		give_back(&pool, o);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pool.oldest = calloc(1, sizeof(*pool.oldest));
	pool.oldest->age = 11;
	pthread_create(&a, NULL, user, NULL);
	pthread_create(&b, NULL, evictor, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(pool.oldest);
	return 0;
}
