/*
 * A thread waits until a match has begun. If it comes after the end, it waits for ever.
 * The twin knows that the match is over.
 *
 * order: creation
 */
#include <pthread.h>

enum phase { BEFORE, PLAYING, OVER };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static enum phase phase;

static void *begins(void *arg)
{
	pthread_mutex_lock(&lock);
	phase = PLAYING;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *watches(void *arg)
{
	pthread_mutex_lock(&lock);
#ifdef FIXED
	while (phase < PLAYING)
#else
	while (phase != PLAYING)
#endif
		pthread_cond_wait(&changed, &lock); /* @wait */
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *ends(void *arg)
{
	pthread_mutex_lock(&lock);
	if (phase == PLAYING)
		phase = OVER;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, begins, NULL);
	pthread_create(&t[1], NULL, watches, NULL);
	pthread_create(&t[2], NULL, ends, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
