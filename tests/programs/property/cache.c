/*
 * A statement cache: a thread removes the entry that it found, though another thread may have
 * removed it in between (GPredict figure 12). A lock protects each operation.
 * order: creation
 * spec: cache.spec
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct map {
	pthread_mutex_t mutex;
	int slot[4];
};
static struct map cache = {PTHREAD_MUTEX_INITIALIZER, {7, 7, 7, 7}};
static pthread_mutex_t whole = PTHREAD_MUTEX_INITIALIZER;

int map_get(struct map *m, int key)
{
	int v;

	pthread_mutex_lock(&m->mutex);
	v = m->slot[key];
	pthread_mutex_unlock(&m->mutex);
	return v;
}

void map_put(struct map *m, int key, int v)
{
	pthread_mutex_lock(&m->mutex);
	m->slot[key] = v;
	pthread_mutex_unlock(&m->mutex);
}

void map_remove(struct map *m, int key)
{
	pthread_mutex_lock(&m->mutex);
	assert(m->slot[key]);
	m->slot[key] = 0;
	pthread_mutex_unlock(&m->mutex);
}

static void remove_statement(void)
{
#ifdef FIXED
	pthread_mutex_lock(&whole);
#endif
	if (map_get(&cache, 1))
		map_remove(&cache, 1);
#ifdef FIXED
	pthread_mutex_unlock(&whole);
#endif
}

static void *first(void *arg)
{
	remove_statement();
	return arg;
}

static void *second(void *arg)
{
	map_put(&cache, 1, 7);
	remove_statement();
	return arg;
}

int main(void)
{
	pthread_t a, b;

	(void)whole;
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
