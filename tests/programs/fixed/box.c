#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int box, seen;

static void *put(void *arg)
{
	pthread_mutex_lock(&m);
	box = 1;
	pthread_mutex_unlock(&m);
	return arg;
}

static void look(void)
{
	pthread_mutex_lock(&m);
	seen = box;
	pthread_mutex_unlock(&m);
}

int main(void)
{
	pthread_t t;

#ifdef FIXED
	pthread_create(&t, NULL, put, NULL);
	pthread_join(t, NULL);
	look();
#else
	pthread_create(&t, NULL, put, NULL);
	look();
	pthread_join(t, NULL);
#endif
	return seen & 0;
}
