/*
 * A lost update on `hits`. Between its read and its write, a thread writes the old number into a
 * log, digit by digit: with the lost update the number has fewer digits than in the recorded run.
 * order: creation
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER;
static int hits = 7;
char text[64];
unsigned used;

static void note(int v)
{
	pthread_mutex_lock(&log_lock);
	do
		text[used++ % sizeof(text)] = (char)('0' + v % 10);
	while (v /= 10);
	pthread_mutex_unlock(&log_lock);
}

static void hit(int k)
{
	int old;

	pthread_mutex_lock(&lock);
	old = hits;
#ifndef FIXED
	pthread_mutex_unlock(&lock);
#endif
	note(old);
#ifndef FIXED
	pthread_mutex_lock(&lock);
#endif
	hits = old + k;
	pthread_mutex_unlock(&lock);
}

static void *page(void *p)
{
	hit(500);
	return p;
}

static void *image(void *p)
{
	hit(20);
	return p;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, page, NULL);
	pthread_create(&b, NULL, image, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(hits == 527);
	return 0;
}
