/*
 * One thread appends to a growing array and another keeps a pointer into it between two sections.
 * The twin keeps the index.
 *
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *item, n, room = 2;

static void append(int v)
{
	pthread_mutex_lock(&lock);
	if (n == room) {
		room *= 2;
		item = realloc(item, room * sizeof(*item));
	}
	item[n++] = v;
	pthread_mutex_unlock(&lock);
}

static void *writer(void *arg)
{
	for (int i = 0; i < 6; i++)
		append(i);
	return arg;
}

static void *bump(void *arg)
{
	pthread_mutex_lock(&lock);
	int *p = &item[0];
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#ifdef FIXED
	p = &item[0];
#endif
	*p += 10;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	item = malloc(room * sizeof(*item));
	append(100);
	pthread_create(&a, NULL, bump, NULL);
	pthread_create(&b, NULL, writer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(item);
	return 0;
}
