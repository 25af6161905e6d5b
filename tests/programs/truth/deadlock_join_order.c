/* Opposite lock orders in threads that a join separates. */
#include "truth.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *one(void *unused)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	x++;
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return unused;
}

static void *two(void *unused)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	x++;
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, one, NULL);
	pthread_join(t, NULL);
	pthread_create(&t, NULL, two, NULL);
	pthread_join(t, NULL);
	return x != 2;
}
