/*
 * A thread uses a file in rounds, and only the first one relies on it being open. Another thread
 * closes it. The twin looks in each round.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int closed, uses;

static int use(void)
{
	int is_closed;

	pthread_mutex_lock(&lock);
	is_closed = closed;
	uses++;
	pthread_mutex_unlock(&lock);
	return is_closed;
}

static void *uses_it(void *arg)
{
	for (int i = 0; i < 6; i++) {
		int is_closed = use();

#ifdef FIXED
		if (is_closed)
			break;
#endif
		if (i == 0)
			assert(!is_closed); /* @fails */
	}
	return arg;
}

static void *closes(void *arg)
{
	pthread_mutex_lock(&lock);
	closed = 1;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, uses_it, NULL);
	pthread_create(&b, NULL, closes, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
