/*
 * Two threads remove a key if the map has it. Each call takes the lock, check and action together
 * do not.
 * order: creation
 * spec: check-then-act
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct map {
	pthread_mutex_t mutex;
	int has[4];
};
static struct map *map;
static pthread_mutex_t both = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static int map_has(struct map *m, int key)
{
	int r;

	pthread_mutex_lock(&m->mutex);
	r = m->has[key];
	pthread_mutex_unlock(&m->mutex);
	return r;
}

__attribute__((noinline)) static void map_remove(struct map *m, int key)
{
	pthread_mutex_lock(&m->mutex);
	assert(m->has[key]);
	m->has[key] = 0;
	pthread_mutex_unlock(&m->mutex);
}

__attribute__((noinline)) static void map_put(struct map *m, int key)
{
	pthread_mutex_lock(&m->mutex);
	m->has[key] = 1;
	pthread_mutex_unlock(&m->mutex);
}

static void *first(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&both);
#endif
	if (map_has(map, 1))
		map_remove(map, 1);
#ifdef FIXED
	pthread_mutex_unlock(&both);
#endif
	return arg;
}

static void *second(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&both);
#endif
	map_put(map, 1);
	if (map_has(map, 1))
		map_remove(map, 1);
#ifdef FIXED
	pthread_mutex_unlock(&both);
#endif
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_mutex_lock(&both);
	pthread_mutex_unlock(&both);
	map = calloc(1, sizeof(*map));
	pthread_mutex_init(&map->mutex, NULL);
	map->has[1] = 1;
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(map);
	return 0;
}
