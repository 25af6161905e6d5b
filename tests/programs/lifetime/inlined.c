/*
 * Two threads clean up; the function that does it is inlined into both.
 * The twin takes the buffer away under a lock.
 *
 * expect: double-free
 * harm: crash
 * order: creation
 */
#include <pthread.h>
#include <stdlib.h>

char *buffer;
#ifdef FIXED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static inline void clean_up(void)
{
#ifdef FIXED
	char *mine;

	pthread_mutex_lock(&lock);
	mine = buffer;
	buffer = NULL;
	pthread_mutex_unlock(&lock);
	free(mine);
#else
	if (buffer) {
		free(buffer);
		buffer = NULL;
	}
#endif
}

static void *worker(void *arg)
{
	clean_up();
	return arg;
}

static void *timer(void *arg)
{
	clean_up();
	return arg;
}

int main(void)
{
	pthread_t a, b;

	buffer = malloc(100);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, timer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
