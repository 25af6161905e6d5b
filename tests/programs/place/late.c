/*
 * A reader that sees the work half done stops the writer, but in a second lock region: the writer
 * may go on before. In the recorded run the reader comes last and goes another way. If it runs on
 * to where it stopped there, it is too late.
 * order: creation
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int progress, whole, half, stop;

static void *writer(void *p)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < 2; i++) {
		if (!stop)
			progress = i + 1;
		pthread_mutex_unlock(&lock);
		pthread_mutex_lock(&lock);
	}
	pthread_mutex_unlock(&lock);
	return p;
}

static void *reader(void *p)
{
	pthread_mutex_lock(&lock);
	if (progress != 1) {
		whole = 1;
		pthread_mutex_unlock(&lock);
		return p;
	}
	half = 1;
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#endif
	stop = 1;
	pthread_mutex_unlock(&lock);
	return p;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(!half || progress == 1);
	return 0;
}
