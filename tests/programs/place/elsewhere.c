/*
 * What really cannot happen: the reader comes to its second read only if the first one saw the
 * flag. With ASSERT or WAIT, the path that it takes instead has a bug of its own.
 * order: creation
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int full, number, sum;

static void *fill(void *p)
{
	pthread_mutex_lock(&lock);
	full = 1;
	number = 5;
	pthread_cond_signal(&filled);
	pthread_mutex_unlock(&lock);
	return p;
}

static void *look(void *p)
{
	int is;

	pthread_mutex_lock(&lock);
	is = full;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	if (is)
		sum += number;
#ifdef ASSERT
	else
		assert(!number);
#endif
#ifdef WAIT
	else
		pthread_cond_wait(&filled, &lock);
#endif
	pthread_mutex_unlock(&lock);
	return p;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, fill, NULL);
	pthread_create(&b, NULL, look, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
