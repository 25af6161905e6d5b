/*
 * A progress meter prints the numbers of started and of finished jobs. The workers count both under
 * one lock, in two regions; the meter reads both in one.
 *
 * options: --order creation
 */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
	int started, done, bytes;
} progress;

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lock);
		progress.started++;
		pthread_mutex_unlock(&lock);
		pthread_mutex_lock(&lock);
		progress.done++;
		progress.bytes += 10;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static int bytes(void)
{
	int v;

	pthread_mutex_lock(&lock);
	v = progress.bytes;
	pthread_mutex_unlock(&lock);
	return v;
}

static int done(void)
{
	int v;

	pthread_mutex_lock(&lock);
	v = progress.done;
	pthread_mutex_unlock(&lock);
	return v;
}

static void *meter(void *unused)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lock);
		printf("%d started, %d done%s\n", progress.started, progress.done,
		       progress.started == progress.done ? "" : ", at work");
		pthread_mutex_unlock(&lock);
		printf("%d bytes of %d items\n", bytes(), done());
	}
	return unused;
}

int main(void)
{
	pthread_t m;

	pthread_create(&m, NULL, meter, NULL);
	both(work, work, NULL);
	pthread_join(m, NULL);
	return progress.started != 6 || progress.done != 6;
}
