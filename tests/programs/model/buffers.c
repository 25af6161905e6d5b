#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#define SIZE (1 << 20)
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static char *slot;
static int done;
static void *consume(void *p)
{
	char *out = malloc(SIZE), *b;
	do {
		pthread_mutex_lock(&m);
		while (!slot && !done)
			pthread_cond_wait(&c, &m);
		b = slot;
		slot = 0;
		pthread_cond_broadcast(&c);
		pthread_mutex_unlock(&m);
		if (b)
			memcpy(out, b, SIZE);
		free(b);
	} while (b);
	free(out);
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, consume, 0);
	for (int i = 0; i < 10; i++) {
		char *b = malloc(SIZE);
		memset(b, i, SIZE);
		pthread_mutex_lock(&m);
		while (slot)
			pthread_cond_wait(&c, &m);
		slot = b;
		pthread_cond_broadcast(&c);
		pthread_mutex_unlock(&m);
	}
	pthread_mutex_lock(&m);
	done = 1;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	return 0;
}
