#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *forth(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *back(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
#else
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
#endif
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, forth, NULL);
	pthread_create(&u, NULL, back, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
