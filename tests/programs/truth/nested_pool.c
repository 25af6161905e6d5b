/*
 * A pool of buffers with a lock of its own. Each owner takes and gives back buffers while it holds
 * its own lock.
 */
#include "truth.h"
struct buffer {
	struct buffer *next;
	int used;
};
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static struct buffer *pool;
static int taken, most;

static struct buffer *take(void)
{
	struct buffer *b;

	pthread_mutex_lock(&pool_lock);
	b = pool;
	if (b)
		pool = b->next;
	if (++taken > most)
		most = taken;
	pthread_mutex_unlock(&pool_lock);
	return b ? b : calloc(1, sizeof(*b));
}

static void give(struct buffer *b)
{
	pthread_mutex_lock(&pool_lock);
	b->next = pool;
	pool = b;
	taken--;
	pthread_mutex_unlock(&pool_lock);
}

static void *owner(void *arg)
{
	pthread_mutex_t *own = arg;

	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(own);
		struct buffer *x = take(), *y = take();

		assert(x != y);
		x->used++;
		y->used++;
		give(y);
		give(x);
		pthread_mutex_unlock(own);
	}
	return NULL;
}

int main(void)
{
	static pthread_mutex_t own[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
	pthread_t t[2];
	int used = 0;

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, owner, &own[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	while (pool) {
		struct buffer *b = pool;

		pool = b->next;
		used += b->used;
		free(b);
	}
	assert(used == 8 && taken == 0 && most <= 4);
}
