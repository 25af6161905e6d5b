/*
 * An object pool, third state of repair: the list of idle objects is safe, but a new object is made
 * outside the lock, by a factory that `close` takes away.
 * The twin reads the factory in the lock region in which it has seen that the pool is open.
 *
 * order: creation
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct factory {
	void *(*make)(size_t size);
	size_t size;
};
struct pool {
	pthread_mutex_t lock;
	bool closed;
	void *idle[4];
	int n;
	struct factory *factory;
	long borrowed;
};
static struct factory blocks = {malloc, 16};
struct pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .factory = &blocks};

static struct factory *factory_of(struct pool *p)
{
	struct factory *f;

	pthread_mutex_lock(&p->lock);
	f = p->factory;
	pthread_mutex_unlock(&p->lock);
	return f;
}

static void *borrow(struct pool *p)
{
	struct factory *f = NULL;
	void *object = NULL;

	pthread_mutex_lock(&p->lock);
	if (p->closed) {
		pthread_mutex_unlock(&p->lock);
		return NULL;
	}
	if (p->n)
		object = p->idle[--p->n];
#ifdef FIXED
	f = p->factory;
#endif
	p->borrowed++;
	pthread_mutex_unlock(&p->lock);
	if (object)
		return object;
	if (!f)
		f = factory_of(p);
	return f->make(f->size); /* @use */
}

static void give_back(struct pool *p, void *object)
{
	pthread_mutex_lock(&p->lock);
	p->borrowed--;
	if (!p->closed && p->n < 4) {
		p->idle[p->n++] = object;
		object = NULL;
	}
	pthread_mutex_unlock(&p->lock);
	free(object);
}

static void *user(void *arg)
{
	void *object = borrow(&pool);

	if (object)
		give_back(&pool, object);
	return arg;
}

static void *closer(void *arg)
{
	pthread_mutex_lock(&pool.lock);
	pool.closed = true;
	while (pool.n)
		free(pool.idle[--pool.n]);
	pool.factory = NULL;
	pthread_mutex_unlock(&pool.lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, user, NULL);
	pthread_create(&b, NULL, closer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
