/*
 * A pointer is checked and then used, while another thread clears it (GPredict figure 10). A lock
 * protects each access.
 * order: creation
 * spec: null.spec
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int column = 3, *map = &column;

static int *get_map(void)
{
	int *p;

#ifdef FIXED
	pthread_mutex_lock(&mutex);
#endif
	p = map;
#ifdef FIXED
	pthread_mutex_unlock(&mutex);
#endif
	return p;
}

static void *name(void *arg)
{
	int *p = get_map();

	return p && *p == 3 ? arg : NULL;
}

static void *clear(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&mutex);
#endif
	map = NULL;
#ifdef FIXED
	pthread_mutex_unlock(&mutex);
#endif
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, name, NULL);
	pthread_create(&b, NULL, clear, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	(void)mutex;
	return 0;
}
