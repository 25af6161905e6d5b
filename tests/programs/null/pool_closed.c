/*
 * An object pool, first state of repair: an object is returned after a look at the flag `closed`
 * that no lock covers. Another thread closes the pool meanwhile, and then there is no list of idle
 * objects. The twin looks under the lock.
 *
 * order: creation
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct idle {
	void *object[4];
	int n;
};
struct pool {
	pthread_mutex_t lock;
	bool closed;
	struct idle *idle;
	long changes;
};
struct pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *borrow(struct pool *p)
{
	void *object = NULL;

	pthread_mutex_lock(&p->lock);
	p->changes++;
	if (!p->closed && p->idle->n)
		object = p->idle->object[--p->idle->n];
	pthread_mutex_unlock(&p->lock);
	return object ? object : malloc(16);
}

static void give_back(struct pool *p, void *object)
{
#ifdef FIXED
	pthread_mutex_lock(&p->lock);
	if (p->closed) {
		pthread_mutex_unlock(&p->lock);
		free(object);
		return;
	}
#else
	if (__atomic_load_n(&p->closed, __ATOMIC_ACQUIRE)) {
		free(object);
		return;
	}
	pthread_mutex_lock(&p->lock);
#endif
	p->changes++;
	p->idle->object[p->idle->n++] = object; /* @use */
	pthread_mutex_unlock(&p->lock);
}

static void close_pool(struct pool *p)
{
	struct idle *idle;

	pthread_mutex_lock(&p->lock);
	__atomic_store_n(&p->closed, true, __ATOMIC_RELEASE);
	p->changes++;
	idle = p->idle;
	p->idle = NULL;
	pthread_mutex_unlock(&p->lock);
	for (int i = 0; i < idle->n; i++)
		free(idle->object[i]);
	free(idle);
}

static void *user(void *arg)
{
	void *object = borrow(&pool);

	give_back(&pool, object);
	return arg;
}

static void *closer(void *arg)
{
	close_pool(&pool);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	pool.idle = calloc(1, sizeof(*pool.idle));
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, i < 2 ? user : closer, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
