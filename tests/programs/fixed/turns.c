#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready, sum;

static void *first(void *arg)
{
	int r;

	pthread_mutex_lock(&m);
	r = ready;
#ifndef FIXED
	pthread_mutex_unlock(&m);
#endif
	if (r)
		sum++;
#ifdef FIXED
	pthread_mutex_unlock(&m);
#endif
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&m);
	ready = 1;
	sum++;
	pthread_mutex_unlock(&m);
	return arg;
}

static void *third(void *arg)
{
	pthread_mutex_lock(&m);
	sum++;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	void *(*const work[])(void *) = {first, second, third};
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
